# SPDX-License-Identifier: GPL-2.0-only
"""Chromium without a window, told what to do over its debugging pipe."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium")
LIMIT = 60  # seconds that no answer takes, however slow the machine


def find():
    """Path of the browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. Everything that goes wrong in its scripts is in errors."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="csn-browser-")
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        # The browser reads commands from 3 and answers on 4. Ours can have
        # these numbers, so they go out of the way first.
        files = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10)
                 for fd in (commands, answers)]
        move = "exec 3<&%d 4>&%d; exec \"$@\"" % tuple(files)
        self.process = subprocess.Popen(
            ["bash", "-c", move, "bash", find(), "--headless",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--window-size=1100,900",
             "--user-data-dir=" + self.profile.name, "about:blank"],
            pass_fds=files, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (commands, answers, *files):
            os.close(fd)
        self.buffer, self.number, self.session = b"", 0, None
        self.errors, self.requests, self.loaded = [], [], False
        target = self._page()
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def _page(self):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            for info in self.call("Target.getTargets")["targetInfos"]:
                if info["type"] == "page":
                    return info["targetId"]
        raise TimeoutError("the browser opens no page")

    def _message(self):
        end = time.monotonic() + LIMIT
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.answers], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise EOFError("the browser ended")
            self.buffer += more
        message, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(message)
        method, params = message.get("method"), message.get("params")
        if method == "Runtime.exceptionThrown":
            self.errors.append(params["exceptionDetails"]["text"] + " " +
                               str(params["exceptionDetails"].get(
                                   "exception", {}).get("description")))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        return message

    def call(self, method, **params):
        """What the browser answers to a command of its protocol."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            message = self._message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def open(self, path):
        self.errors, self.requests, self.loaded = [], [], False
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not self.loaded:
            self._message()

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def centre(self, selector):
        """Where an element is on the screen."""
        return self.evaluate(
            "(() => { const b = document.querySelector(%s)"
            ".getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })()"
            % json.dumps(selector))

    def mouse(self, kind, where, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=where[0],
                  y=where[1], **more)

    def click(self, where):
        self.mouse("mouseMoved", where)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, where, button="left", clickCount=1)

    def picture(self, path):
        """What the page looks like, as a .png."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        os.close(self.commands)
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.answers)
        self.profile.cleanup()
