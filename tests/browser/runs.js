// Knows in the page whether every run that it has asked the server for has come to its end.
//
// Streamlit's own state says so too late: between a click and the first word of the run that it asks for, the page
// rests as if nothing had been asked. So each question is led by `runOnSave`, which means nothing to these servers,
// being turned off and on; the server tells either: what arrives after that answers the question.
// `number` has the numbers of Streamlit's fields.

(number) => {
  const runs = window.mlfsRuns = { asked: 0, heard: 0, on: true, begun: false, ended: false };

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

  function hear(message) {
    const told = fields(message);
    if (number.session_status_changed in told) {
      const on = Boolean(fields(told[number.session_status_changed])[number.run_on_save]);
      if (on && !runs.on) Object.assign(runs, { heard: runs.heard + 1, begun: false });
      runs.on = on;
    } else if (number.new_session in told) {
      Object.assign(runs, { begun: runs.heard === runs.asked, ended: false });
    } else if (number.script_finished in told) {
      runs.ended = runs.begun && told[number.script_finished] !== number.FINISHED_EARLY_FOR_RERUN;
    }
  }

  window.WebSocket = class extends window.WebSocket {
    constructor(...address) {
      super(...address);
      // What was asked on a connection that is lost, nobody answers.
      Object.assign(runs, { asked: 0, heard: 0, on: true, begun: false, ended: false });
      this.addEventListener('message', ({ data }) => data instanceof ArrayBuffer && hear(new Uint8Array(data)));
    }

    send(message) {
      const asked = fields(message)[number.rerun_script];
      // What a fragment asks for by itself, again and again, nobody waits for; the server may leave it unanswered.
      if (asked && !fields(asked)[number.is_auto_rerun]) {
        Object.assign(runs, { asked: runs.asked + 1, ended: false });
        for (const on of [0, 1]) super.send(new Uint8Array([8 * number.set_run_on_save, on]));
      }
      super.send(message);
    }
  };
}
