/**
 * The table of languages and phenomena: each query finds the text whose word it means, first, and not by a correction.
 * Beside each text stands one that has no such word.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase } from '../../../testing/database.ts'
import { createLibrary, type Library } from '../../../testing/knowledge/indexed-documents.ts'

type Line = readonly [phenomenon: string, query: string, text: string, other?: string]

const lines: readonly Line[] = [
  [
    'French elision',
    'employé',
    "L'employé reçoit une prime de l'entreprise.",
    'Une prime est versée dans la cour.',
  ],
  [
    'French elision',
    'ancienneté',
    'L’indemnité d’ancienneté est versée.',
    'Une prime est versée dans la cour.',
  ],
  [
    'French elision, asked with it',
    "l'accord",
    'Un accord est signé avec les syndicats.',
    'Les syndicats signent.',
  ],
  ['French elision in a phrase', '"employé reçoit"', "L'employé reçoit une prime.", 'Il reçoit un employé.'],
  [
    'French elision of qu',
    'ancien',
    "Il dit qu'ancien ou non, le contrat vaut.",
    'Il dit que le contrat vaut.',
  ],
  ['Italian elision', 'azienda', "I dipendenti dell'azienda hanno un contratto.", 'Il contratto è nuovo.'],
  ['Italian elision', 'orario', "L'orario è scritto sul contratto nell'ufficio.", 'Il contratto è nuovo.'],
  ['Catalan elision', 'empresa', "Els treballadors de l'empresa tenen vacances.", 'Les vacances.'],
  ['Arabic article', 'موظف', 'يحصل الموظفون على إجازة سنوية.', 'والمدير يوقّع الطلب.'],
  ['Arabic conjunction', 'المدير', 'والمدير يوقّع الطلب.', 'يحصل على إجازة سنوية.'],
  ['Arabic preposition', 'مكتب', 'الوثيقة في درج بالمكتب الكبير.', 'يحصل على إجازة سنوية.'],
  ['Arabic vowels', 'محمد', 'كتب مُحَمَّد التقرير.', 'يحصل على إجازة سنوية.'],
  ['Arabic alif and ta marbuta', 'اجازه', 'يحصل على إجازة سنوية.', 'والمدير يوقّع الطلب.'],
  ['Arabic digits', '2024', 'وقعت الاتفاقية في ٢٠٢٤ في المدينة.', 'وقعت الاتفاقية في ٢٠٢١ في المدينة.'],
  ['Persian letters', 'كتاب علي', 'کتاب علی روی میز است.', 'میز بزرگ است.'],
  ['Persian digits and plural', 'کتاب ۱۴۰۲', 'کتاب‌ها در سال 1402 چاپ شد.', 'میز در سال 1401 ساخته شد.'],
  ['Urdu digits', '45', 'فارم ۴۵ جمع کرائیں۔', 'فارم ۴۶ جمع کرائیں۔'],
  ['Hebrew article and conjunction', 'ספר', 'הוא קרא והספר היה ארוך.', 'הוא קרא מכתב ארוך.'],
  ['Hebrew points', 'שלום', 'שָׁלוֹם לכולם.', 'תודה רבה.'],
  ['Hebrew plural', 'עובד', 'העובדים מקבלים חופשה.', 'המכתב הגיע.'],
  ['Hindi digits', '2024', 'यह नियम २०२४ से लागू है।', 'यह नियम २०२१ से लागू है।'],
  ['Hindi nasal and vowel', 'हिंदी', 'यह हिन्दी में लिखा है।', 'यह अंग्रेज़ी में लिखा है।'],
  ['Hindi dot', 'अंग्रेजी', 'यह अंग्रेज़ी में लिखा है।', 'यह हिन्दी में लिखा है।'],
  ['Hindi plural', 'कर्मचारी', 'सभी कर्मचारियों को छुट्टी मिलती है।', 'यह नियम लागू है।'],
  ['Bengali digits', '350', 'মোট ৩৫০ টাকা।', 'মোট ৩৬০ টাকা।'],
  ['Thai digits', '2567', 'ประกาศในปี ๒๕๖๗', 'ประกาศในปี ๒๕๖๖'],
  ['Turkish i', 'istanbul ısı', 'İSTANBUL ofisinde ISI yüksek.', 'Ankara ofisinde.'],
  ['Turkish endings of names', 'Ankara', "Ofis Ankara'da açıldı.", "Ofis İzmir'de açıldı."],
  ['Turkish endings of names', 'Türkiye', 'Türkiye’nin kuralları.', 'Almanya’nın kuralları.'],
  [
    'a name with signs',
    'C++',
    'Our backend is written in C++ today.',
    'Vitamin C is in category C; grade C and block C.',
  ],
  [
    'a name with signs',
    'C#',
    'The plugin is written in C#.',
    'Vitamin C is in category C; grade C and block C.',
  ],
  ['a name with signs', 'F#', 'The rules are written in F#.', 'Press F; key F, column F.'],
  ['a name with signs', '.NET', 'It needs the .NET runtime.', 'The net weight of the net is net.'],
  ['a name with signs', 'Node.js', 'It runs on Node.js 24.', 'Each node is a node of the tree.'],
  ['a name with signs', 'nodejs', 'It runs on Node.js 24.', 'Each node is a node of the tree.'],
  ['a name with signs', 'AT&T', 'The line is from AT&T.', 'At T we meet at T.'],
  ['an acronym with dots', 'USA', 'Made in the U.S.A. and Canada.', 'Made in Canada.'],
  ['one word for two', 'datasheet', 'The data sheet lists it.', 'The data lists it.'],
  ['one word for a hyphen', 'wifi', 'The Wi-Fi password is on the desk.', 'The password is on the desk.'],
  ['one word for a hyphen', 'checkin', 'The check-in time is three.', 'The time is three.'],
  ['one word for two with a particle', 'checkin', 'You may check in at three.', 'You may come in at three.'],
  ['one word for a hyphen', 'email', 'Send an e-mail to us.', 'Send a letter to us.'],
  ['two words for one', 'data sheet', 'The datasheet lists it.', 'The list is short.'],
  ['two words for one', 'wi-fi', 'The wifi password is on the desk.', 'The password is on the desk.'],
  ['two words for one', 'check-in', 'The checkin time is three.', 'The time is three.'],
  [
    'German compound, its end',
    'Bescheinigung',
    'Die Arbeitsunfähigkeitsbescheinigung geht an die Kasse.',
    'Das Geld geht an die Kasse.',
  ],
  [
    'German compound, its beginning',
    'Lizenz',
    'Ein Lizenzvertrag liegt bei und ist zu prüfen.',
    'Ein Brief liegt bei und ist zu prüfen.',
  ],
  [
    'German compound, its end',
    'Vertrag',
    'Der Mietvertrag ist bei der Verwaltung zu kündigen.',
    'Die Wohnung ist bei der Verwaltung.',
  ],
  [
    'Dutch compound, its end',
    'verzekering',
    'De zorgverzekering wordt door de werkgever betaald.',
    'De lunch wordt door de werkgever betaald.',
  ],
  [
    'Swedish compound, its end',
    'försäkring',
    'En sjukförsäkring är att teckna för alla som är anställda.',
    'En lunch är att betala för alla som är anställda.',
  ],
  [
    'Danish compound, its beginning',
    'ferie',
    'Man får feriepenge af det man har tjent hos os.',
    'Man får løn af det man har tjent hos os.',
  ],
  [
    'Norwegian compound, its end',
    'avtale',
    'Det er en leieavtale som ikke kan sies opp etter at den er signert.',
    'Det er en bil som ikke kan kjøres etter at den er solgt.',
  ],
  ['separators of thousands', '1250000', 'The total is 1,250,000 euros.', 'The total is 1,300,000 euros.'],
  ['separators of thousands', '1250000', 'Die Summe ist 1.250.000 Euro.', 'Die Summe ist 1.300.000 Euro.'],
  [
    'separators of thousands',
    '1250000',
    'Le total est de 1 250 000 euros.',
    'Le total est de 1 300 000 euros.',
  ],
  ['separators of thousands', '1,250,000', 'Das sind 1’250’000 Franken.', 'Das sind 1’300’000 Franken.'],
  ['separators of thousands', '1.250.000', 'The total is 1250000 euros.', 'The total is 1, 250 and 000.'],
  ['separators of India', '1250000', 'The total is 12,50,000 rupees.', 'The total is 13,50,000 rupees.'],
  ['an IBAN', 'AT611904300234573201', 'IBAN AT61 1904 3002 3457 3201.', 'IBAN AT61 1904 3002 3457 3202.'],
  [
    'an IBAN',
    'GB29 NWBK 6016 1331 9268 19',
    'Pay to GB29NWBK60161331926819.',
    'Pay to GB29NWBK60161331926820.',
  ],
  ['a telephone number', '+4312345678', 'Call +43 (1) 234-5678 today.', 'Call +43 (1) 234-5679 today.'],
  ['a telephone number', '+43 1 234 56 78', 'Call +4312345678 today.', 'Call +4312345679 today.'],
  [
    'a serial number',
    'SN471122X9',
    'The device has number SN-4711-22X9.',
    'The device has number SN-4711-23X9.',
  ],
  ['a number beside its unit', '500 ml', 'The tank holds 500ml.', 'The fund has 500 members, and 500 more.'],
  ['a number beside its unit', '500ml', 'The tank holds 500 ml.', 'The fund has 500 members, and 500 more.'],
  ['a number beside its unit', '1.5 kg', 'Das Gerät wiegt 1,5kg.', 'See chapter 1 and 5 for kg.'],
  ['an amount', '€20', 'It costs 20 EUR a day.', 'It takes 20 days and 20 nights.'],
  ['a percentage', '20 percent', 'A discount of 20% is given.', 'A discount is given after 20 days.'],
  ['British spelling', 'organization color', 'The organisation has a colour.', 'The office has a door.'],
  ['American spelling', 'travelling licence', 'A traveling license is needed.', 'A passport is needed.'],
  ['an abbreviation', 'PTO', 'Ask for paid time off in the portal.', 'Ask for a desk, paid in time.'],
  [
    'an abbreviation',
    'MFA setup',
    'Multi-factor authentication is needed.',
    'Authentication is needed for each factor.',
  ],
  ['an abbreviation in full', 'work from home', 'WFH is allowed on Fridays.', 'Lunch is at twelve.'],
]

let database: Awaited<ReturnType<typeof createTestDatabase>>
let library: Library

before(async () => {
  database = await createTestDatabase()
  library = createLibrary(database.database)
})
after(() => database.close())

/** A scope has an index of its own. */
async function addAlone(chunks: readonly string[]) {
  const scope = await library.createScope()
  const collectionId = await library.createCollection(scope)
  for (const chunk of chunks) await library.add(scope, { collectionId, chunks: [chunk] })
  return scope
}

for (const [phenomenon, query, text, other = 'Nothing else.'] of lines) {
  test(`${phenomenon}: "${query}" finds "${text}"`, async () => {
    // The other text comes first, so that at equal scores it would win.
    const scope = await addAlone([other, text])
    const { results } = await library.search(scope, { query, limit: 5, explain: true })
    assert.equal(results[0]?.text, text)
    assert.ok(!JSON.stringify(results[0]?.explanation).includes('correctedTo'))
    assert.ok((results[0]?.highlights.length ?? 0) > 0)
  })
}

test('a part of a word that is no compound is not found by it', async () => {
  const scope = await addAlone(['Die Abrechnung ist bei der Verwaltung zu finden.'])
  assert.equal((await library.find(scope, 'Rechnung')).total, 0)
})

test('a query that finds nothing is asked again without its exclusions, and the results say so', async () => {
  const scope = await addAlone(['The tar archive is drafted.'])
  const found = await library.find(scope, 'archive -tar')
  assert.deepEqual([found.total, found.ignored], [1, ['tar']])
  const other = await library.find(scope, 'archive -zip')
  assert.deepEqual([other.total, other.ignored], [1, undefined])
  assert.equal((await library.find(scope, '-tar')).total, 0)
})
