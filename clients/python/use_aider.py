"""aider, as its command runs in a terminal."""
import os
import subprocess
import sys
import tempfile

from cases import OPENAI, WORDS, case, finish, live, true

QUIET = ['--no-git', '--yes-always', '--no-check-update', '--analytics-disable', '--no-show-model-warnings']


for how in ('--stream', '--no-stream'):

    @case(f'live: a message is answered, with {how}')
    def _():
        program = os.path.join(os.path.dirname(sys.executable), 'aider')
        door = ['--model', 'openai/' + live.model, '--openai-api-base', OPENAI, '--openai-api-key', live.key]
        with tempfile.TemporaryDirectory() as folder:
            command = [program, *door, *QUIET, how, '--message', 'Tell me a story']
            environment = {**os.environ, 'HOME': folder}
            told = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment)
            true(WORDS in told.stdout, told.stdout + told.stderr)


finish()
