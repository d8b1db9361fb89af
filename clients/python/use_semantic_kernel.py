"""Semantic Kernel: chats, functions and embeddings."""
from openai import AsyncOpenAI
from pydantic import BaseModel
from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.function_choice_behavior import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.open_ai import (
    OpenAIChatCompletion,
    OpenAIChatPromptExecutionSettings,
    OpenAITextEmbedding,
)
from semantic_kernel.contents import ChatHistory
from semantic_kernel.functions import kernel_function

from cases import OPENAI, TOOL_RESULT, WORDS, awaited, case, doors, equal, finish, live, true


class Weather(BaseModel):
    city: str
    degrees: float


class Skies:
    @kernel_function(name='get_weather', description='The weather of a city.')
    def get_weather(self, city: str) -> str:
        return TOOL_RESULT


def said(text):
    history = ChatHistory()
    history.add_user_message(text)
    return history


for door in doors:
    chat = OpenAIChatCompletion(ai_model_id=door.model, async_client=AsyncOpenAI(base_url=OPENAI, api_key=door.key))

    async def joined(text, settings, **more):
        stream = chat.get_streaming_chat_message_content(said(text), settings, **more)
        return ''.join([str(piece) async for piece in stream])

    @case(f'{door.name}: an answer')
    def _():
        settings = OpenAIChatPromptExecutionSettings()
        equal(str(awaited(chat.get_chat_message_content(said(door.saying), settings))), WORDS)

    @case(f'{door.name}: a stream')
    def _():
        equal(awaited(joined(door.saying, OpenAIChatPromptExecutionSettings())), WORDS)

    @case(f'{door.name}: a function is called, in a stream too')
    def _():
        kernel = Kernel()
        kernel.add_plugin(Skies(), 'skies')
        settings = OpenAIChatPromptExecutionSettings(function_choice_behavior=FunctionChoiceBehavior.Auto())
        prompt = door.calling('skies-get_weather', city='Paris')
        answers = [
            str(awaited(chat.get_chat_message_content(said(prompt), settings, kernel=kernel))),
            awaited(joined(prompt, settings, kernel=kernel)),
        ]
        if door is live:
            equal(answers, ['The tool said: ' + TOOL_RESULT] * 2)
        true(all(answers), answers)

    @case(f'{door.name}: an answer fits a model of pydantic')
    def _():
        settings = OpenAIChatPromptExecutionSettings(response_format=Weather)
        Weather.model_validate_json(str(awaited(chat.get_chat_message_content(said('How warm is it?'), settings))))


@case('live: texts are embedded')
def _():
    client = AsyncOpenAI(base_url=OPENAI, api_key=live.key)
    embedding = OpenAITextEmbedding(ai_model_id='openai/test-embedding', async_client=client)
    equal(len(awaited(embedding.generate_embeddings(['a', 'b']))), 2)


finish()
