/** What the extractive model promises: quotes that stand in its sources, and silence where they do not answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAnswer } from './answer.ts'
import { sentencesOf } from './sentences.ts'

const leave = [
  '# Leave',
  '',
  'Full-time staff have 27 days of annual leave. Dr. Brandt decides on exceptions, e.g. for long service.',
  '',
  '- Sick leave: call before 9:00.',
  '- Unused days expire on 31 March.',
  '',
  '| Region | Bonus days |',
  '|---|---|',
  '| North | 3 |',
  '| South | 1 |',
].join('\n')

const sources = [{ cite: '[1]', title: 'Handbook', text: leave }]

test('sentences end where they end, not behind an abbreviation', () => {
  assert.deepEqual(
    sentencesOf(leave).map(({ text }) => text),
    [
      'Full-time staff have 27 days of annual leave.',
      'Dr. Brandt decides on exceptions, e.g. for long service.',
      'Sick leave: call before 9:00.',
      'Unused days expire on 31 March.',
      '| Region | Bonus days |',
      '| North | 3 |',
      '| South | 1 |',
    ],
  )
})

test('every piece stands in the passage exactly as it is', () => {
  const wrapped = 'A first line\nthat goes on. A second\n\n  1. item one\n  2. item two'
  for (const { text } of sentencesOf(wrapped)) assert.ok(wrapped.includes(text), text)
})

test('a question is answered by the sentence that answers it, though it is asked in other words', async () => {
  const {
    quotes: [best],
  } = await findAnswer('How many days of vacation do full-time employees get?', sources)
  assert.equal(best?.text, 'Full-time staff have 27 days of annual leave.')
  assert.equal(best?.cite, '[1]')
})

test('a row of a table is understood by its head', async () => {
  const {
    quotes: [best],
  } = await findAnswer('How many bonus days are there in the South region?', sources)
  assert.equal(best?.text, '| South | 1 |')
})

const filings = [2019, 2020].map((year, place) => ({
  cite: `[${place + 1}]`,
  title: `BESTHARBOR_${year}_10K.pdf`,
  text: [
    'We expect allowance for doubtful accounts to vary in the next fiscal year.',
    '',
    `Receivables are net of an allowance for doubtful accounts of $${year - 2000} million in ${year}.`,
    '',
    'Cash flows (in millions)',
    `Years ended December 31 | ${year} | ${year - 1}`,
    'Depreciation and amortization | 1,488 | 1,544',
    `Purchases of property, plant and equipment | (${year - 1000}) | (1,373)`,
  ].join('\n'),
}))

test('what is told beside a question is not missed in what answers it, and a year is no figure', async () => {
  const { quotes, isSure } = await findAnswer(
    'You are an analyst with access only to the filings of Best Harbor. Based on the details shown in the report, what is the FY2020 allowance for doubtful accounts (in USD millions)?',
    filings,
  )
  assert.equal(quotes[0]?.cite, '[2]')
  assert.match(quotes[0]?.text ?? '', /\$20 million in 2020/)
  assert.equal(isSure, true)
})

test('a row of figures is quoted with the years and the unit that its columns have', async () => {
  const { quotes, isSure } = await findAnswer(
    'How much were the purchases of property, plant and equipment of Best Harbor in fiscal 2019?',
    filings,
  )
  assert.equal(quotes[0]?.text, 'Purchases of property, plant and equipment | (1019) | (1,373)')
  assert.equal(quotes[0]?.head, 'Years ended December 31 | 2019 | 2018')
  assert.equal(isSure, true)
})

test('what a row is understood by does not grow with the rows above it', () => {
  const rows = Array.from({ length: 500 }, (_, index) => `| 2019 | a${index} |`)
  const contexts = sentencesOf(['| 5 | x |', ...rows].join('\n')).map(({ context }) => context)
  assert.equal(contexts.length, 501)
  assert.ok(contexts.every(context => context.length < 100))
})

test('a quote about another year or another name than was asked for is not sure', async () => {
  const asked = async (question: string) => (await findAnswer(question, filings)).isSure
  assert.equal(await asked('What was the allowance for doubtful accounts of Best Harbor in 2020?'), true)
  assert.equal(await asked('What was the allowance for doubtful accounts of Best Harbor in 2031?'), false)
  assert.equal(await asked('What was the allowance for doubtful accounts of Pinewood Dairy in 2020?'), false)
})

test('a figure behind a sentence that only names what is asked for is no sure answer', async () => {
  const strategy = 'Our strategy is to grow steel in Europe and to improve research and development expense.'
  const asked = (backlog: string) =>
    findAnswer('What is the research and development expense of Best Harbor for the year 2023?', [
      { cite: '[1]', title: 'BESTHARBOR_2023_10K.pdf', text: `${strategy} ${backlog}` },
    ])
  const { quotes } = await asked('Backlog at year end was $5,933 million, most of which we expect to ship.')
  assert.ok(!quotes.some(({ text }) => text.startsWith('Backlog')))
  assert.equal((await asked('Best Harbor had a backlog of $5,933 million at its end.')).isSure, false)
})

test('a question that the sources do not answer gets no quote', async () => {
  assert.deepEqual((await findAnswer('What is the capital of Australia?', sources)).quotes, [])
  assert.deepEqual((await findAnswer('Who won the annual football match?', sources)).quotes, [])
})

test('nothing to search and nothing to search for are no answer, and no fault', async () => {
  assert.deepEqual((await findAnswer('How many days?', [])).quotes, [])
  assert.deepEqual((await findAnswer('what is the of', sources)).quotes, [])
  assert.deepEqual((await findAnswer('', sources)).quotes, [])
})

test('words that name what every object has are words like any other', async () => {
  const text = 'The constructor decides. The __proto__ valueOf a thing is unknown.'
  const {
    quotes: [best],
  } = await findAnswer('What does the constructor decide?', [{ cite: '[1]', title: '', text }])
  assert.equal(best?.text, 'The constructor decides.')
})

const single = (text: string, headings: string[] = []) => [{ cite: '[1]', title: 'notes.md', text, headings }]

for (const [language, question, text, answer] of [
  [
    'German',
    'Wie viele Urlaubstage haben Vollzeitkräfte?',
    'Der Antrag ist bei der Personalabteilung zu stellen. Vollzeitkräfte haben 28 Urlaubstage.',
    '28',
  ],
  [
    'German, in another form',
    'Wo stelle ich den Antrag?',
    'Vollzeitkräfte haben 28 Urlaubstage. Der Antrag ist bei der Personalabteilung zu stellen.',
    'Personalabteilung',
  ],
  [
    'French',
    "Combien de jours de congé l'employé a-t-il ?",
    "Le bureau ouvre à neuf heures. L'employé a 25 jours de congé par an.",
    '25',
  ],
  [
    'Dutch',
    'Hoeveel vakantiedagen krijgen werknemers?',
    'Het kantoor is open van negen tot vijf. Werknemers krijgen 24 vakantiedagen per jaar.',
    '24',
  ],
  [
    'Russian',
    'Сколько дней отпуска у сотрудников?',
    'Офис открыт с девяти до пяти. Сотрудники имеют 28 дней отпуска в год.',
    '28',
  ],
  ['Chinese', '员工有多少天年假？', '办公室九点开门。全职员工每年有15天年假。', '15'],
  ['Japanese', '年次有給休暇は何日ですか？', 'オフィスは九時に開きます。年次有給休暇は20日です。', '20'],
  ['Korean', '연차 휴가는 며칠입니까?', '사무실은 아홉 시에 엽니다. 연차 휴가는 15일입니다.', '15'],
  [
    'Spanish',
    '¿Cuántos días de vacaciones tienen los empleados?',
    'La oficina abre a las nueve. Los empleados tienen 23 días de vacaciones.',
    '23',
  ],
] as const) {
  test(`a question in ${language} is answered by the sentence that answers it`, async () => {
    const { quotes } = await findAnswer(question, single(text))
    assert.ok(quotes[0]?.text.includes(answer), JSON.stringify(quotes))
  })
}

test('a line of a name and its value answers a question for the value', async () => {
  const invoice = single(
    '# Invoice 2025-118\n\nTotal amount due: 4,310.00 EUR\nCEO: Mira Voss\nTerms: 30 days',
  )
  const { quotes, isSure } = await findAnswer('What is the total amount due?', invoice)
  assert.deepEqual([quotes[0]?.text, isSure], ['Total amount due: 4,310.00 EUR', true])
  assert.equal((await findAnswer('Who is the CEO?', invoice)).quotes[0]?.text, 'CEO: Mira Voss')
})

test('a row from the middle of a table is understood by the columns named above its passage', async () => {
  const columns = 'Article | Description | Unit price'
  const { quotes } = await findAnswer(
    'What is the unit price of QX-5333?',
    single('QX-5332 | Hinge | 18.10\nQX-5333 | Bracket | 19.15', ['Stock', columns]),
  )
  assert.deepEqual([quotes[0]?.text, quotes[0]?.head], ['QX-5333 | Bracket | 19.15', columns])
  const names = await findAnswer(
    'What is the unit price of QX-5333?',
    single(`${columns}\nQX-1 | Bolt | 1.10`),
  )
  assert.ok(!names.quotes.some(({ text }) => text === columns))
})

test('a short passage that stands out is quoted for a question in other words, but never as sure', async () => {
  const passages = [
    'Dogs must be registered for tax within four weeks. The rate is 90 for the first dog.',
    'Waste is collected on Mondays. Bins are put out the evening before.',
  ].map((text, place) => ({ cite: `[${place + 1}]`, title: `${place}.md`, text }))
  const { quotes, isSure } = await findAnswer('How much tax do I owe for a puppy?', passages)
  assert.deepEqual([quotes.map(({ cite }) => cite), isSure], [['[1]', '[1]'], false])
  const common = await findAnswer('When do I get a new change of time this week?', passages)
  assert.deepEqual(common.quotes, [])
})
