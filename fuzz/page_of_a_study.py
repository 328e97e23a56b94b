"""A study that is run by a page, as by a browser that opens it, presses the button and waits for the end."""

import sys
import time
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.parts import studies

if __name__ == "__main__":
    app = AppTest.from_file(Path(__file__).parents[1] / "pages" / "main.py", default_timeout=3600)
    app.session_state["drawn"] = True
    app.switch_page("sensitivity.py")
    app.query_params.update({"data": "synthetic", "method": "els", "repeats": "4", "most": "10"})
    app.run()
    queue = studies.job_queue()
    while not (known := queue.store.studies()) or any(study.done < study.cells for study in known):
        if app.exception:
            sys.exit(app.exception[0].value)
        for button in app.button:
            if button.label in ("Run", "Resume"):  # whoever ran it before may have been killed
                button.click()
        time.sleep(0.1)
        app.run()
    queue.close()
