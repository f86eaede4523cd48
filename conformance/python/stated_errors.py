"""A check for Schemathesis: an answer is 5xx only if the document states it for the operation, and is never 500."""

import schemathesis


@schemathesis.check
def stated_error(ctx, response, case) -> None:
    status = response.status_code
    stated = case.operation.definition.raw["responses"]
    if status == 500 or (status > 500 and str(status) not in stated):
        raise AssertionError(f"{status} is not stated: {response.text[:1000]}")
