"""DSPy: its language model, a program, a stream and the embedder."""
import dspy

from cases import OPENAI, WORDS, awaited, case, doors, equal, finish, live, true


def connect(door, **options):
    return dspy.LM('openai/' + door.model, api_base=OPENAI, api_key=door.key, cache=False, num_retries=0, **options)


def text(answer):
    return answer if isinstance(answer, str) else answer['text']


def try_door(door):
    @case(f'{door.name}: the language model answers')
    def _():
        equal([text(answer) for answer in connect(door)(door.saying)], [WORDS])


for door in doors:
    try_door(door)

dspy.configure(lm=connect(live))


@case('live: a program fills its field')
def _():
    equal(dspy.Predict('question -> answer')(question='How many days?').answer, WORDS)


@case('live: a chain of thought fills both fields')
def _():
    result = dspy.ChainOfThought('question -> answer')(question='How many days?')
    equal([result.reasoning, result.answer], [WORDS, WORDS])


@case('live: a program streams its field')
def _():
    async def read():
        listener = dspy.streaming.StreamListener(signature_field_name='answer')
        program = dspy.streamify(dspy.Predict('question -> answer'), stream_listeners=[listener])
        return [part async for part in program(question='How many days?')]

    parts = awaited(read())
    pieces = [part.chunk for part in parts if isinstance(part, dspy.streaming.StreamResponse)]
    equal(''.join(pieces).strip(), WORDS)
    equal(parts[-1].answer, WORDS)


@case('live: texts are embedded')
def _():
    vectors = dspy.Embedder('openai/openai/test-embedding', api_base=OPENAI, api_key=live.key, caching=False)(['a', 'b'])
    true(vectors.shape[0] == 2, vectors.shape)


finish()
