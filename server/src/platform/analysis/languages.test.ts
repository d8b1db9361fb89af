import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectLanguage } from './detect-language.ts'
import { fold } from './fold.ts'
import { completionsOf, languages, maxTermLength, plainTerm, termOf } from './languages.ts'
import { type LanguageCode, stopWords } from './stop-words.ts'

const term = (word: string, language: LanguageCode): string => termOf(word, fold(word), language).term

test('the forms of a word have one stem in each language, with accents and without', () => {
  const forms: Record<LanguageCode, string[]> = {
    en: ['retrieval retrieve retrieved', 'invoice invoices', 'policy policies'],
    de: ['Vertrag Verträge Vertrags vertraege', 'Haus Häuser', 'Kündigung Kündigungen', 'München Muenchen'],
    fr: ['parlé parler parlée parlés', 'congé congés conges', 'cheval chevaux', 'information informations'],
    es: ['información informaciones informacion', 'contraseña contraseñas contrasena', 'vacación vacaciones'],
    it: ['riunione riunioni', 'fattura fatture', 'città citta'],
    pt: [
      'decisão decisões decisao',
      'informação informações informacao',
      'disponível disponíveis',
      'avião aviões',
    ],
    nl: ['huis huizen', 'vergadering vergaderingen', 'wachtwoord wachtwoorden', 'brief brieven'],
    ru: ['договор договоры договоров договором', 'отпуск отпуска', 'йога йогой йоги', 'счёт счета счет'],
    da: ['betaling betalinger betalingerne', 'lønning lønninger'],
    sv: ['betalning betalningar betalningarna', 'semesterdag semesterdagar semesterdagarna'],
    no: ['betaling betalinger betalingene', 'oppsigelse oppsigelsen'],
    fi: ['sopimus sopimukset sopimuksen', 'talo talossa taloissa', 'käyttäjä käyttäjät käyttäjän kayttajan'],
  }
  for (const [language, groups] of Object.entries(forms) as [LanguageCode, string[]][]) {
    for (const group of groups) {
      const stems = new Set(group.split(' ').map(word => term(word, language)))
      assert.equal(stems.size, 1, `${language}: ${group} → ${[...stems].join(' ')}`)
    }
  }
})

test('words of different meaning keep different stems', () => {
  for (const [language, one, other] of [
    ['en', 'policy', 'police'],
    ['de', 'Haus', 'Hass'],
    ['ru', 'договор', 'дорога'],
    ['fi', 'talo', 'talvi'],
  ] as const) {
    assert.notEqual(term(one, language), term(other, language), `${one}, ${other}`)
  }
})

test('a stem of one language is never taken for a word of another', () => {
  assert.equal(plainTerm(term('note', 'it')), 'not')
  assert.notEqual(term('note', 'it'), term('not', 'en'))
})

test('a word is never cut in a character, and its term has less than 128 bytes', () => {
  for (const language of languages) {
    for (const word of ['ж'.repeat(300), 'ü'.repeat(300), '\u{20000}'.repeat(300), 'x'.repeat(300)]) {
      const own = term(word, language)
      assert.ok(own.isWellFormed() && own.length <= maxTermLength && Buffer.byteLength(own) < 128, language)
    }
  }
})

test('the stems of words that begin so are found for a prefix that is longer than they', () => {
  assert.ok(completionsOf('organiz', ['en']).includes('organ'))
  assert.deepEqual(completionsOf('inv', ['en']), [])
})

test('every language has its stop words, and a place of its own in what is stored', () => {
  assert.equal(new Set(languages).size, Object.keys(stopWords).length)
  for (const language of languages) assert.ok(stopWords[language].size > 60, language)
})

test('the language of two plain sentences is recognised', () => {
  for (const [language, text] of [
    ['en', 'The invoice must be paid within thirty days. Employees may carry over five days of leave.'],
    ['de', 'Die Rechnung ist innerhalb von dreißig Tagen zu bezahlen. Reisekosten brauchen einen Beleg.'],
    [
      'fr',
      "La facture doit être payée dans les trente jours. Les frais de voyage exigent un reçu de l'hôtel.",
    ],
    ['es', 'La factura debe pagarse en un plazo de treinta días. Los gastos de viaje necesitan un recibo.'],
    ['it', 'La fattura deve essere pagata entro trenta giorni. Il server si riavvia dopo un aggiornamento.'],
    ['pt', 'A fatura deve ser paga no prazo de trinta dias. Os incidentes são comunicados ao escritório.'],
    ['nl', 'De factuur moet binnen dertig dagen worden betaald. Reiskosten hebben een bon nodig.'],
    ['ru', 'Счёт должен быть оплачен в течение тридцати дней. Сервер перезапускается после обновления.'],
    [
      'da',
      'Fakturaen skal betales inden for tredive dage. Medarbejdere kan overføre fem dage til det næste år.',
    ],
    ['sv', 'Fakturan ska betalas inom trettio dagar. Anställda kan föra över fem dagar till nästa år.'],
    [
      'no',
      'Fakturaen må betales innen tretti dager. Omsetningen vokste ikke, men kostnadene ble lavere enn før.',
    ],
    ['fi', 'Lasku on maksettava kolmenkymmenen päivän kuluessa. Matkakulut vaativat kuitin.'],
  ] as const) {
    assert.equal(detectLanguage(text), language, text)
  }
})

test('names, numbers and single letters are of no language', () => {
  for (const text of [
    '',
    '2024-05-03 EUR 42.9',
    'CACM December, 1958 Perlis, A. J. CA581203 JB',
    '東京都の支社',
    'שלום',
  ]) {
    assert.equal(detectLanguage(text), null, text)
  }
})
