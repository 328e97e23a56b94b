// Knows in the page whether every run that it has asked the server for has come to its end.
//
// Streamlit's own state says so too late: between a click and the first word of the run that it asks for, the page
// rests as if nothing had been asked. So each question is led by `runOnSave`, which means nothing to these servers,
// being turned off and on; the server tells either: what arrives after that answers the question.
// `number` has the numbers of Streamlit's fields.
//
// What the server says can be kept back as on a slow way: from `hold` on all of it, until `deliver` lets the page have
// one run of it after the other.

(number) => {
  const none = { asked: 0, heard: 0, on: true, begun: false, ended: false };
  // What the page was told, and what has arrived here: the same, unless some of it is kept back.
  const runs = window.mlfsRuns = { ...none };
  const arrived = runs.arrived = { ...none };
  let kept = null;

  /** Field → its first value: a number, or bytes. */
  function fields(bytes) {
    const found = {};
    let at = 0;
    const whole = () => {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    };
    while (at < bytes.length) {
      const tag = whole();
      const kind = tag % 8;
      let value = kind === 0 ? whole() : null;
      if (kind !== 0) {
        const length = kind === 2 ? whole() : kind === 1 ? 8 : 4;
        value = bytes.subarray(at, at + length);
        at += length;
      }
      found[Math.floor(tag / 8)] ??= value;
    }
    return found;
  }

  /** Whether a run has come to its end with that, if only to make room for the next. */
  function hear(message, told) {
    const said = fields(message);
    if (number.session_status_changed in said) {
      const on = Boolean(fields(said[number.session_status_changed])[number.run_on_save]);
      if (on && !told.on) Object.assign(told, { heard: told.heard + 1, begun: false });
      told.on = on;
    } else if (number.new_session in said) {
      Object.assign(told, { begun: told.heard === told.asked, ended: false });
    } else if (number.script_finished in said) {
      told.ended = told.begun && said[number.script_finished] !== number.FINISHED_EARLY_FOR_RERUN;
      return true;
    }
    return false;
  }

  runs.hold = () => { kept = []; };

  /** Pass on one run, or what has come after the last; then nothing more is kept. Gives whether there may be more. */
  runs.deliver = () => {
    while (kept.length) {
      const [socket, data] = kept.shift();
      socket.dispatchEvent(new MessageEvent('message', { data }));
      if (hear(new Uint8Array(data), runs)) return true;
    }
    kept = null;
    return false;
  };

  window.WebSocket = class extends window.WebSocket {
    constructor(...address) {
      super(...address);
      // What was asked on a connection that is lost, nobody answers.
      for (const told of [runs, arrived]) Object.assign(told, none);
      kept &&= [];
      this.addEventListener('message', (event) => {
        if (!event.isTrusted || !(event.data instanceof ArrayBuffer)) return;
        const message = new Uint8Array(event.data);
        hear(message, arrived);
        if (kept) {
          event.stopImmediatePropagation();
          kept.push([this, event.data]);
        } else {
          hear(message, runs);
        }
      });
    }

    send(message) {
      const asked = fields(message)[number.rerun_script];
      // What a fragment asks for by itself, again and again, nobody waits for; the server may leave it unanswered.
      if (asked && !fields(asked)[number.is_auto_rerun]) {
        for (const told of [runs, arrived]) Object.assign(told, { asked: told.asked + 1, ended: false });
        for (const on of [0, 1]) super.send(new Uint8Array([8 * number.set_run_on_save, on]));
      }
      super.send(message);
    }
  };
}
