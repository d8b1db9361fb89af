import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../testing/knowledge/read-document.ts'

const read = async (html: string) => blocksOf(await readDocument(`<html><body>${html}`, 'a.html'))

test('cells over several columns and rows stand in each of them', async () => {
  const table = `<table><tr><th rowspan=2>Region</th><th colspan=2>2024</th></tr><tr><th>net</th><th>gross</th></tr>
    <tr><td rowspan=2>North</td><td>10</td><td>12</td></tr><tr><td colspan=2>none</td></tr></table>`
  assert.deepEqual(await read(table), [
    'table: Region | 2024 | 2024\nRegion | net | gross\nNorth | 10 | 12\nNorth | none | none',
  ])
})

test('a cell that claims a million columns and rows takes no more than a large table', async () => {
  const [block = ''] = await read(
    '<table><tr><td colspan=1000000 rowspan=1000000>a</td></tr><tr><td>b</td></tr></table>',
  )
  assert.ok(block.length < 1_000_000, String(block.length))
  assert.match(block, /^table: a \| a/)
})

test('a table in a cell is a part of its row, and a table around tables is no table', async () => {
  const inner = '<table><tr><th>Model</th><th>Months</th></tr><tr><td>P10</td><td>3</td></tr></table>'
  assert.deepEqual(
    await read(
      `<table><tr><td>Oil</td><td>Each Monday</td></tr><tr><td>Filter</td><td>${inner}</td></tr></table>`,
    ),
    ['table: Oil | Each Monday\nFilter | Model, Months; P10, 3'],
  )
  assert.deepEqual(await read(`<table><tr><td>Menu</td><td>${inner}</td></tr></table>`), [
    'paragraph: Menu',
    'table: Model | Months\nP10 | 3',
  ])
})

test('raised, lowered and struck letters, formulas, readings and boxes are marked', async () => {
  assert.deepEqual(
    await read(
      '<p>10<sup>5</sup> cells, H<sub>2</sub>O, <del>30</del> 20, <span style="text-decoration: line-through">old</span> new</p>',
    ),
    ['paragraph: 10^5 cells, H_2O, ~~30~~ 20, ~~old~~ new'],
  )
  const formula =
    '<math><mi>x</mi><mo>=</mo><mfrac><mrow><mo>-</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup><mo>-</mo><mn>4</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac></math>'
  assert.deepEqual(await read(`<p>${formula}</p>`), ['paragraph: x = (- b ± sqrt(b^2 - 4ac))/2a'])
  assert.deepEqual(await read('<p><ruby>休<rt>きゅう</rt></ruby><ruby>暇<rt>か</rt></ruby>申請</p>'), [
    'paragraph: 休暇(きゅうか)申請',
  ])
  assert.deepEqual(
    await read('<ul><li><input type=checkbox checked>signed</li><li><input type=checkbox>sent</li></ul>'),
    ['list: [x] signed', 'list: [ ] sent'],
  )
})

test('a link keeps its address, unless the address is its text, leads within the site, or stands in a menu', async () => {
  assert.deepEqual(
    await read(
      '<nav><a href="https://a.example/menu">Menu</a></nav><p><a href="https://a.example/f.pdf">The sheet</a>, <a href="mailto:help@a.example?subject=x">support</a>, <a href="https://a.example/">a.example</a>, <a href="/about">about</a></p>',
    ),
    [
      'paragraph: Menu',
      'paragraph: The sheet (https://a.example/f.pdf), support (help@a.example), a.example, about',
    ],
  )
})

test('items of ordered lists have the numbers and letters that a browser shows', async () => {
  assert.deepEqual(
    await read(
      '<ol start=7><li>Close.</li><li>Open.<ol type=a><li>Left</li></ol></li><li value=20><p>Wait.</p></li></ol>',
    ),
    ['list: 7. Close.', 'list: 8. Open.', 'list: a. Left', 'list: 20. Wait.'],
  )
})

test('what the styles of a page hide is not read, and what they show is', async () => {
  const hidden = [
    '<p style="d\\69splay:/**/none">a</p>',
    '<p style="display:none!important;display:block">a</p>',
    '<p style="display:none;display:bogus">a</p>',
    '<div style="font:0/0 a">a</div><div style="font-size:0"><b style="font-size:2em">a</b></div>',
    '<p style="opacity:0">a</p><p style="content-visibility:hidden">a</p><p style="text-indent:-9999px">a</p>',
    '<p style="position:absolute;clip:rect(0,0,0,0)">a</p><p style="position:fixed;left:-9999px">a</p>',
    '<dialog>a</dialog><p popover>a</p><noembed>a</noembed><noframes>a</noframes><template>a</template>',
    '<p style="visibility:hidden">a <img alt="b"></p><table style="visibility:collapse"><tr><td>a</table>',
    '<style>.x,#y{display:none} p.z{opacity:0}</style><p class="w x">a</p><p id=y>a</p><p class=z>a</p>',
    '<style>@media screen{q{display:none}}</style><q>a</q>',
    '<style>article p{display:block} .x{display:none}</style><article><p class=x>a</p></article>',
    '<style>.x{display:none} @media print{.x{display:block}}</style><p class=x>a</p>',
    '<style>.y{color:red;.z{opacity:1;display:block;}} .x{display:none}</style><p class="x y">a</p>',
    '<p style="position:relative;left:-9999px">a</p><p style="transform:translateX(-9999px)">a</p>',
    '<div style="height:0;overflow:hidden">a</div><div style="position:absolute;inset:0 0 0 -9999px">a</div>',
    '<p hidden id=a>a</p>',
    '<p style="color:#FFF;background:rgb(255, 255, 255)">a <b>b</b></p>',
  ]
  for (const html of hidden) assert.deepEqual(await read(`${html}<p>seen`), ['paragraph: seen'], html)
  const shown = [
    '<div style="visibility:hidden">a<p style="visibility:visible">seen</p></div>',
    '<p style="display:none;display:block">seen</p>',
    '<style>@media print{p{display:none}} body{visibility:hidden}</style><p>seen</p>',
    '<style>p{display:none} p.on{display:block}</style><p class=on>seen</p>',
    '<dialog open>seen</dialog>',
    '<div style="font-size:0"><p style="font-size:12px">seen</p></div>',
    '<style>.y{color:red;.z{x:y;display:none;}}</style><p class=y>seen</p>',
    '<div style="filter:grayscale(0)">seen</div>',
    '<p style="color:#fff">seen</p>',
    '<div style="color:#fff;background:#fff"><p style="color:#000">seen</p></div>',
    '<div style="left:-100%;position:absolute">seen</div>',
  ]
  for (const html of shown) assert.deepEqual(await read(html), ['paragraph: seen'], html)
})

test('what a reader of the page can unfold, what only wide windows show, and text for screen readers is read', async () => {
  for (const html of [
    '<details><p>seen</p></details>',
    '<div role=tabpanel hidden>seen</div>',
    '<p hidden=until-found>seen</p>',
    '<a href="#two"></a><div id=two style="display:none">seen</div>',
    '<b data-bs-target="#two"></b><div id=two hidden>seen</div>',
    '<b aria-controls="one two"></b><div id=two style="visibility:hidden;opacity:0">seen</div>',
    `<b onclick="openCity(event, 'two')"></b><div id=two style="display:none">seen</div>`,
    '<b popovertarget=two></b><p popover id=two>seen</p>',
    '<style>.tab{display:none} .tab.active{display:block}</style><p class=tab>seen</p>',
    '<style>.tab{display:none} #one:checked~#two{display:block}</style><p class=tab id=two>seen</p>',
    '<style>.tip{visibility:hidden} b:hover .tip{visibility:visible}</style><p class=tip>seen</p>',
    '<style>.panel{max-height:0;overflow:hidden;transition:max-height .2s ease-out}</style><p class=panel>seen</p>',
    '<style>.no{display:none!important}@media (min-width:768px){.wide{display:block!important}}</style><p class="no wide">seen</p>',
    '<style>.sr-only{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0,0,0,0)}</style><p class=sr-only>seen</p>',
    '<style>.for-readers{position:absolute;left:-10000px;width:1px;height:1px;overflow:hidden}</style><p class=for-readers>seen</p>',
  ])
    assert.deepEqual(await read(html), ['paragraph: seen'], html)
})

test('a page that hides nearly all of a long text is one whose scripts show it, and is read', async () => {
  const store = (text: string): string =>
    `<style>#store{display:none}</style><p>Loading</p><div id=store>${text}`
  const long = 'A long text. '.repeat(2_000)
  assert.equal((await read(store(long))).at(-1), `paragraph: ${long.trim()}`)
  assert.deepEqual(await read(store('A short text.')), ['paragraph: Loading'])
})
