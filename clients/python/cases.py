"""What the programs share: the two doors of a server, and cases that are counted.

A program ends with the line `N passed, N failed`, which the lane reads.
"""
import asyncio
import json
import os
import signal
import sys
import traceback

ORIGIN = os.environ['ATRIUM_ORIGIN']
API = ORIGIN + '/api/v1'
OPENAI = ORIGIN + '/v1'
WORDS = 'Once upon a time there was a goose.'
TOOL_RESULT = '21 degrees in Paris'
SECONDS_PER_CASE = 60

# One loop for all cases: some packages keep connections that belong to the loop of their first use.
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)

counts = {'passed': 0, 'failed': 0}


class Door:
    """The sandbox, or a live workspace whose model follows a script (scripts/real/clients/model.ts)."""

    def __init__(self, name):
        self.name = name
        given = json.loads(os.environ['ATRIUM_' + name.upper()])
        self.key, self.model, self.agent = given['key'], given['model'], given['agentId']
        self.collection = given['collectionId']

    @property
    def is_sandbox(self):
        return self.name == 'sandbox'

    @property
    def saying(self):
        """A prompt that is answered with WORDS."""
        return 'sim:output=' + WORDS if self.is_sandbox else 'Tell a story.'

    def calling(self, name, **arguments):
        """A prompt that leads to the call of a function; the scripted model calls the first, for Paris."""
        return f'sim:tool={name}({json.dumps(arguments)}) How is the weather?' if self.is_sandbox else 'How is the weather?'


sandbox, live = Door('sandbox'), Door('live')
doors = (sandbox, live)


def case(title):
    """Runs the function at once, and counts whether it raises."""

    def run(function):
        def late(*_):
            raise TimeoutError(f'nothing after {SECONDS_PER_CASE} seconds')

        signal.signal(signal.SIGALRM, late)
        signal.alarm(SECONDS_PER_CASE)
        try:
            function()
            counts['passed'] += 1
            print('ok  ', title, flush=True)
        except BaseException as error:
            counts['failed'] += 1
            print('FAIL', title, flush=True)
            traceback.print_exception(error, limit=-4, file=sys.stdout)
        finally:
            signal.alarm(0)
        return function

    return run


def awaited(work):
    """What a coroutine answers."""
    return loop.run_until_complete(work)


def equal(found, expected):
    if found != expected:
        raise AssertionError(f'{found!r} instead of {expected!r}')


def true(found, what):
    if not found:
        raise AssertionError(what)


def raises(kind, function):
    """The error, which must be of the kind."""
    try:
        function()
    except kind as error:
        return error
    raise AssertionError(f'no {kind} was raised')


def finish():
    print(f"{counts['passed']} passed, {counts['failed']} failed", flush=True)
    # Some packages keep threads that outlive their work.
    sys.stdout.flush()
    os._exit(1 if counts['failed'] or not counts['passed'] else 0)
