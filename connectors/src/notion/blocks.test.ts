import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { block, richText, type StoredBlock } from '../../../server/src/testing/peers/notion-store.ts'
import { connectNotion } from '../testing/notion.ts'

async function markdownFor(t: TestContext, blocks: StoredBlock[]): Promise<string> {
  const { notion, mirror } = await connectNotion(t)
  const page = notion.put({ title: 'T', blocks })
  await mirror.sync()
  return (mirror.documents.get(page)?.text ?? '').replace(/^# T\n\n/, '')
}

test('headings, lists, quotes, code and what is nested in them become Markdown', async t => {
  const text = await markdownFor(t, [
    block('heading_1', 'Chapter'),
    block('bulleted_list_item', 'one', {}, [
      block('numbered_list_item', 'deep'),
      block('numbered_list_item', 'deeper'),
    ]),
    block('to_do', 'open', { checked: false }),
    block('to_do', 'shut', { checked: true }),
    block('toggle', 'more', {}, [block('paragraph', 'hidden')]),
    block('quote', 'said', {}, [block('paragraph', 'and more')]),
    block('code', 'let x = 1', { language: 'javascript', caption: [] }),
    block('equation', null, { expression: 'e=mc^2' }),
    block('divider'),
    block('child_page', null, { title: 'Child' }, [block('paragraph', 'of the child')]),
    block('heading_3', 'Small'),
  ])
  assert.equal(
    text,
    [
      '## Chapter\n',
      '- one\n  1. deep\n  2. deeper',
      '- [ ] open\n- [x] shut',
      '- more\n  hidden\n',
      '> said\n> and more\n',
      '```javascript\nlet x = 1\n```\n',
      '$$e=mc^2$$\n',
      '---\n',
      'Child\n',
      '#### Small\n',
    ].join('\n'),
  )
})

test('tables, columns, copies of synced blocks and marks within a text keep their content', async t => {
  const original = block('synced_block', null, { synced_from: null }, [block('paragraph', 'shared words')])
  const copy = block('synced_block', null, { synced_from: { type: 'block_id', block_id: original.id } }, [
    block('unsupported'),
  ])
  const row = (...cells: string[]) => block('table_row', null, { cells: cells.map(cell => [richText(cell)]) })
  const text = await markdownFor(t, [
    block('table', null, { table_width: 2, has_column_header: true }, [row('a', 'b|c'), row('1', '2')]),
    block('column_list', null, {}, [
      block('column', null, {}, [block('paragraph', 'left')]),
      block('column', null, {}, [block('paragraph', 'right')]),
    ]),
    original,
    copy,
    block('paragraph', null, {
      rich_text: [
        richText('bold ', { bold: true }),
        richText('code', { code: true }),
        richText(' and '),
        richText('a link', {}, 'https://example.com/'),
        richText(' to '),
        richText('Ada', {}, '/relative'),
      ],
    }),
  ])
  assert.equal(
    text,
    [
      '| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n',
      'left\n\nright\n',
      'shared words\n\nshared words\n',
      '**bold** `code` and [a link](https://example.com/) to Ada\n',
    ].join('\n'),
  )
})

test('files are named without the signed addresses that are others at each look', async t => {
  const caption = [richText('The map')]
  const signed = {
    url: 'https://prod-files.example.com/x?signature=1',
    expiry_time: '2026-02-01T01:00:00.000Z',
  }
  const text = await markdownFor(t, [
    block('image', null, { type: 'file', file: signed, caption }),
    block('pdf', null, { type: 'external', external: { url: 'https://example.com/a.pdf' }, caption: [] }),
    block('file', null, { type: 'file', file: signed, name: 'notes.txt', caption: [] }),
    block('bookmark', null, { url: 'https://example.com/', caption }),
    block('some_new_block', 'of tomorrow'),
  ])
  assert.equal(
    text,
    [
      'The map\n',
      '[https://example.com/a.pdf](https://example.com/a.pdf)\n',
      'notes.txt\n',
      '[The map](https://example.com/)\n',
      'of tomorrow\n',
    ].join('\n'),
  )
})

test('a page without an end is cut, and says so', async t => {
  const { notion, mirror, peer } = await connectNotion(t)
  const page = notion.put({ title: 'Endless', blocks: [block('paragraph', 'again')] })
  peer.interrupt = ({ path }) =>
    path === `/v1/blocks/${page}/children`
      ? {
          json: {
            object: 'list',
            has_more: true,
            next_cursor: 'again',
            results: [{ object: 'block', id: 'x', type: 'divider', has_children: false, divider: {} }],
          },
        }
      : null
  await mirror.sync()
  assert.equal(mirror.documents.get(page)?.metadata?.isCut, true)
  assert.equal(peer.requests.filter(({ path }) => path.endsWith('/children')).length, 200)
})

test('blocks within blocks without an end are cut as well', async t => {
  const { notion, mirror, peer } = await connectNotion(t)
  const page = notion.put({
    title: 'Deep',
    blocks: [block('toggle', 'start', {}, [block('paragraph', 'x')])],
  })
  peer.interrupt = ({ path }) =>
    path.endsWith('/children')
      ? {
          json: {
            object: 'list',
            has_more: false,
            next_cursor: null,
            results: [
              { object: 'block', id: 'same', type: 'toggle', has_children: true, toggle: { rich_text: [] } },
            ],
          },
        }
      : null
  await mirror.sync()
  assert.equal(mirror.documents.get(page)?.metadata?.isCut, true)
})

test('what is closed to the connection within a page is left out, and the page says that it is cut', async t => {
  const { notion, mirror } = await connectNotion(t)
  const elsewhere = { type: 'block_id', block_id: '00000000-0000-4000-8000-000000000000' }
  const page = notion.put({
    title: 'T',
    blocks: [
      block('paragraph', 'before'),
      block('synced_block', null, { synced_from: elsewhere }, [block('unsupported')]),
      block('paragraph', 'after'),
    ],
  })
  await mirror.sync()
  assert.equal(mirror.documents.get(page)?.text, '# T\n\nbefore\n\nafter\n')
  assert.equal(mirror.documents.get(page)?.metadata?.isCut, true)
})
