"""instructor: outputs by functions, by schema and in part."""
import instructor
from openai import OpenAI
from pydantic import BaseModel

from cases import OPENAI, case, doors, equal, finish, live, true


class Weather(BaseModel):
    city: str
    degrees: float


def try_door(door):
    def ask(mode, create='create', function='Weather'):
        client = instructor.from_openai(OpenAI(base_url=OPENAI, api_key=door.key), mode=mode)
        prompt = door.calling(function, city='Paris', degrees=21) if 'TOOLS' in mode.name else 'How warm?'
        return getattr(client.chat.completions, create)(
            model=door.model, response_model=Weather, max_retries=0, messages=[{'role': 'user', 'content': prompt}]
        )

    for name in ('TOOLS', 'JSON_SCHEMA', 'RESPONSES_TOOLS'):
        mode = getattr(instructor.Mode, name, None)
        if mode is None:
            print(f'left out: {name}; this version has none')
            continue

        @case(f'{door.name}: {name} fills the model of pydantic')
        def _():
            true(isinstance(ask(mode), Weather), 'no Weather')

    @case(f'{door.name}: a stream brings the model in parts')
    def _():
        parts = list(ask(instructor.Mode.TOOLS, 'create_partial', 'PartialWeather'))
        equal([parts[-1].city, parts[-1].degrees], ['Paris', 21])


for door in doors:
    try_door(door)
finish()
