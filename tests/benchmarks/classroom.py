"""A class at the app: many readers speak Streamlit's own protocol, each moves a slider, every answer is checked.

    python -m tests.benchmarks.classroom http://127.0.0.1:8501 --readers 300 --seconds 60

Prints one JSON object. Latency runs from the moved slider's message to "the script has finished".
"""

import argparse
import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from functools import cache

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

from simulator import Problem, Tiling, accounting

PAGES = ("walk", "side-by-side")
FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
WIDTHS = {2: "fp16", 4: "fp32"}
PATIENCE_S = 30


@dataclass
class Tally:
    """What the class saw: seconds to open a page, seconds per move, and every complaint."""

    opened_s: list = field(default_factory=list)
    moved_s: list = field(default_factory=list)
    received_bytes: int = 0
    errors: list = field(default_factory=list)
    wrong: list = field(default_factory=list)

    def summary(self):
        """The tally as plain numbers."""
        return {"opened_ms": percentiles(self.opened_s), "moved_ms": percentiles(self.moved_s),
                "moves": len(self.moved_s), "received_bytes": self.received_bytes,
                "errors": len(self.errors), "wrong": len(self.wrong), "examples": (self.errors + self.wrong)[:5]}


def percentiles(seconds):
    """The 50th, 95th, 99th percentile and the largest, in milliseconds; empty where there is nothing."""
    ranked = sorted(seconds)
    at = {"p50": 0.50, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return {name: round(1000 * ranked[min(int(share * len(ranked)), len(ranked) - 1)], 1)
            for name, share in at.items()} if ranked else {}


class Reader:
    """One browser window without a browser: it remembers its widgets as the page tells them."""

    def __init__(self, address, page, dice, tally):
        self.stream = address.replace("http", "ws", 1) + "/_stcore/stream"
        self.page, self.dice, self.tally = page, dice, tally
        self.query, self.script, self.fragment = "lang=en", "", ""
        self.sliders, self.values, self.scene = {}, {}, None
        self.kept = {}                                               # messages of the last run, by hash

    async def attend(self, begins, arrival_s, moves, pause_s):
        """Arrive some time before the lesson begins, then move a slider `moves` times, `pause_s` apart."""
        await asyncio.sleep(self.dice.uniform(0, arrival_s))
        try:
            async with connect(self.stream, subprotocols=["streamlit"], compression=None, max_size=None) as self.socket:
                self.tally.opened_s.append(await self._ask(self._message()))
                self._check()
                await asyncio.sleep(max(0, begins + self.dice.uniform(0, pause_s) - time.perf_counter()))
                for _ in range(moves):
                    due = time.perf_counter() + pause_s
                    await self._move()
                    await asyncio.sleep(max(0, due - time.perf_counter()))
        except Exception as error:                                   # a class goes on when one laptop fails
            self.tally.errors.append(f"{type(error).__name__}: {error}")

    async def _move(self):
        name = self.dice.choice(sorted(self.sliders))
        slider = self.sliders[name]
        values = range(int(slider.min), int(slider.max) + 1)
        self.values[name] = self.dice.choice([value for value in values if value != self.values[name]])
        self.tally.moved_s.append(await self._ask(self._message(fragment=self.fragment)))
        self._check()

    def _message(self, fragment=""):
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_name, run.page_script_hash, run.fragment_id = (
            self.query, "" if fragment else self.page, self.script, fragment)
        run.context_info.url = f"{self.stream.replace('ws', 'http', 1).removesuffix('/_stcore/stream')}/{self.page}"
        run.context_info.locale = "en-US"
        run.cached_message_hashes.extend(self.kept)
        for name, slider in self.sliders.items():
            run.widget_states.widgets.add(id=slider.id).double_array_value.data.append(self.values[name])
        return message

    async def _ask(self, message):
        """Send, hear everything up to the end of the script, and return the seconds it took."""
        start, known, self.kept = time.perf_counter(), self.kept, {}
        await self.socket.send(message.SerializeToString())
        while True:
            answer = await self._hear(known)
            kind = answer.WhichOneof("type")
            if kind == "script_finished":
                if answer.script_finished not in FINISHED:
                    self.tally.errors.append(f"the script ended with status {answer.script_finished}")
                return time.perf_counter() - start
            HEARD.get(kind, _nothing)(self, answer)

    async def _hear(self, known):
        """The next message; one that is only named by its hash is the one heard before."""
        frame = await asyncio.wait_for(self.socket.recv(), PATIENCE_S)
        self.tally.received_bytes += len(frame)
        answer = ForwardMsg.FromString(frame)
        answer = known[answer.ref_hash] if answer.WhichOneof("type") == "ref_hash" else answer
        if answer.metadata.cacheable:
            self.kept[answer.hash] = answer
        return answer

    def _check(self):
        """Hold the picture just received against the values of the sliders, byte for byte of traffic."""
        if self.scene is None:
            self.tally.wrong.append(f"{self.page}: no picture")
            return
        for worker in json.loads(self.scene)["workers"]:
            shown = {"n": worker["n_q"], "d": worker["d"]}
            way, dtype = worker["id"].split()[0], WIDTHS[worker["tensors"][0]["bytes"]]
            expected = totals(way, dtype, shown["n"], shown["d"], worker["br"], worker["bc"])
            if not self.values.items() <= shown.items() or worker["totals"] != expected:
                self.tally.wrong.append(f"{self.page}: asked {self.values}, shown {shown} {worker['totals']}")
        self.scene = None


@cache
def totals(algorithm, dtype, n, d, br, bc):
    """Bytes read and written by tensor, by closed form: what a picture's ledger must end at."""
    cost = accounting.cost(algorithm, Problem(n=n, d=d, dtype=dtype), Tiling(br=br, bc=bc))
    return {name: {"read": int(moved.read), "write": int(moved.write)} for name, moved in cost.desk.by_tensor.items()}


def _nothing(reader, answer):
    """Heard and of no consequence."""


def _address(reader, answer):
    reader.query = answer.page_info_changed.query_string


def _page(reader, answer):
    reader.script = answer.navigation.page_script_hash


def _element(reader, answer):
    """A slider is remembered with its fragment, the stage's scene for checking, an exception as an error."""
    element = answer.delta.new_element
    kind = element.WhichOneof("type")
    if kind == "slider" and element.slider.type == element.slider.SLIDER:
        slider, name = element.slider, element.slider.id.rsplit(":", 1)[1]
        if slider.set_value:
            reader.values[name] = int(slider.value[0])
        reader.sliders[name] = slider
        reader.fragment = answer.delta.fragment_id
    elif kind == "bidi_component" and "stage" in element.bidi_component.component_name:
        reader.scene = element.bidi_component.bytes
    elif kind == "exception":
        reader.tally.errors.append(f"{reader.page}: {element.exception.type}")


HEARD = {"page_info_changed": _address, "navigation": _page, "delta": _element}


async def lesson(address, readers, moves, pause_s, arrival_s, seed=0):
    """Let a class of `readers` arrive within `arrival_s` seconds, then make `moves` moves each; returns the Tally."""
    tally, begins = Tally(), time.perf_counter() + arrival_s
    await asyncio.gather(*(
        Reader(address, PAGES[number % len(PAGES)], random.Random(seed + number), tally).attend(
            begins, arrival_s, moves, pause_s)
        for number in range(readers)))
    return tally


def main():
    """Hold one lesson at an address and print what the class saw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address")
    parser.add_argument("--readers", type=int, default=300)
    parser.add_argument("--moves", type=int, default=12, help="moves of each reader")
    parser.add_argument("--pause", type=float, default=5.0, help="seconds from move to move")
    parser.add_argument("--arrival", type=float, default=20.0, help="seconds in which the class arrives")
    asked = parser.parse_args()
    tally = asyncio.run(lesson(asked.address, asked.readers, asked.moves, asked.pause, asked.arrival))
    print(json.dumps(tally.summary()))


if __name__ == "__main__":
    main()
