"""A FastMCP server whose tools have all that a signature may have: `fastmcp_server.py PORT [TOKEN]`."""
import asyncio
import base64
import enum
import sys
from typing import Annotated, Any, Literal, Optional, Union

from fastmcp import Context, FastMCP
from fastmcp.server.auth.providers.jwt import StaticTokenVerifier
from fastmcp.utilities.types import File, Image
from pydantic import BaseModel, Field

PIXEL = base64.b64decode(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
)
auth = None
if len(sys.argv) > 2:
    auth = StaticTokenVerifier(tokens={sys.argv[2]: {'client_id': 'lane', 'scopes': []}})
server = FastMCP('odd', auth=auth)


class Color(enum.Enum):
    red = 'red'
    green = 'green'


class Address(BaseModel):
    street: str
    zip: Annotated[str, Field(pattern=r'^\d{5}$')] = '12345'


class Person(BaseModel):
    name: str = Field(description='full name')
    address: Address
    tags: list[str] = []
    color: Color = Color.red


class Node(BaseModel):
    value: int
    children: list['Node'] = []


@server.tool(annotations={'readOnlyHint': True})
def plain(city: str) -> str:
    """Weather of a city."""
    return '21 degrees in ' + city


@server.tool
def optional(city: str, days: Optional[int] = None, units: Literal['c', 'f'] = 'c', note: str | None = None) -> str:
    return f'optional {city} {days} {units} {note}'


@server.tool
def enums(color: Color, levels: list[Literal[1, 2, 3]]) -> str:
    return f'enums {color.value} {levels}'


@server.tool
def nested(person: Person) -> Person:
    return person


@server.tool
def recursive(node: Node) -> int:
    return node.value


@server.tool
def union(value: Union[int, str, list[str]], extra: dict[str, Any] = {}) -> str:
    return f'union {value!r} {extra}'


@server.tool
def numbers(n: Annotated[int, Field(ge=1, le=10)], x: Annotated[float, Field(gt=0, multiple_of=0.5)]) -> float:
    return n * x


@server.tool
def none() -> str:
    return 'none needed'


@server.tool
def image() -> Image:
    return Image(data=PIXEL, format='png')


@server.tool
def file() -> File:
    return File(data=b'hello from a file', format='plain', name='x.txt')


@server.tool
async def progress(ctx: Context) -> str:
    for step in range(3):
        await ctx.report_progress(step, 3, f'step {step}')
        await asyncio.sleep(0.2)
    return 'done after 3 steps'


@server.tool
async def logs(ctx: Context) -> str:
    await ctx.info('an info')
    await ctx.warning('a warning')
    return 'logged'


@server.tool
def fails() -> str:
    raise ValueError('the disk is full')


@server.tool
def nothing() -> None:
    """Answers nothing."""


@server.tool
def big() -> str:
    return 'x' * 50_000


@server.tool
async def asks(ctx: Context) -> str:
    return str(await ctx.elicit('Which?', response_type=str))


@server.tool(name='näme with spaces/and.slash')
def weird() -> str:
    return 'weird'


server.run(transport='http', host='127.0.0.1', port=int(sys.argv[1]), show_banner=False)
