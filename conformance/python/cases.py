"""A very small test runner: counts what passes and what fails."""

import traceback


class Cases:
    def __init__(self, name):
        self.name = name
        self.passed = 0
        self.failed = 0

    async def run(self, case):
        try:
            await case()
            self.passed += 1
        except Exception:
            self.failed += 1
            print(f"FAILED {self.name}: {case.__name__}")
            traceback.print_exc()

    def report(self):
        print(f"{self.name}: {self.passed} passed, {self.failed} failed")
        return self.failed == 0


def equal(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"
