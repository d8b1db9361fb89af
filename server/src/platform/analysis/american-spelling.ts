/**
 * British spellings as Americans write them, so that both have one stem. A rule may make a word that is not written
 * ("exercize"), as long as all forms of the word are changed alike.
 */

/** A word of small letters a to z. */
export function inAmericanSpelling(word: string): string {
  if (word.length < shortest) return words.get(word) ?? word
  const known = words.get(word)
  if (known !== undefined) return known
  for (const [pattern, replacement] of beginnings)
    if (pattern.test(word)) return word.replace(pattern, replacement)
  if (!mayChange.test(word)) return word
  const [, stem, ending] = verb.exec(word) ?? []
  if (stem !== undefined) return keepsS.has(stem) ? word : `${stem}iz${ending}`
  const [, root, rest] = colour.exec(word) ?? []
  if (root !== undefined) return keepsU.has(root) ? word : `${root}or${rest}`
  for (const [pattern, replacement] of endings)
    if (pattern.test(word)) return word.replace(pattern, replacement)
  return word
}

const shortest = 6

type Rules = readonly (readonly [RegExp, string])[]

const words = new Map(
  Object.entries({
    grey: 'gray',
    greys: 'grays',
    metre: 'meter',
    metres: 'meters',
    litre: 'liter',
    litres: 'liters',
    fibre: 'fiber',
    fibres: 'fibers',
    tyre: 'tire',
    tyres: 'tires',
    cheque: 'check',
    cheques: 'checks',
    storey: 'story',
    storeys: 'stories',
    plough: 'plow',
    ploughs: 'plows',
    draught: 'draft',
    draughts: 'drafts',
    sceptic: 'skeptic',
    sceptical: 'skeptical',
    pyjamas: 'pajamas',
    jewellery: 'jewelry',
    aluminium: 'aluminum',
    speciality: 'specialty',
    specialities: 'specialties',
    artefact: 'artifact',
    artefacts: 'artifacts',
    cosy: 'cozy',
    enrol: 'enroll',
    enrols: 'enrolls',
    enrolment: 'enrollment',
    enrolments: 'enrollments',
    fulfil: 'fulfill',
    fulfils: 'fulfills',
    fulfilment: 'fulfillment',
    instalment: 'installment',
    instalments: 'installments',
    skilful: 'skillful',
    wilful: 'willful',
    manoeuvre: 'maneuver',
    manoeuvres: 'maneuvers',
    acknowledgement: 'acknowledgment',
    acknowledgements: 'acknowledgments',
    judgement: 'judgment',
    judgements: 'judgments',
    ageing: 'aging',
    licence: 'license',
    licences: 'licenses',
    practise: 'practice',
    practises: 'practices',
    practised: 'practiced',
    practising: 'practicing',
    defence: 'defense',
    defences: 'defenses',
    offence: 'offense',
    offences: 'offenses',
    pretence: 'pretense',
    programme: 'program',
    programmes: 'programs',
    maths: 'math',
    learnt: 'learned',
    spelt: 'spelled',
    burnt: 'burned',
    dreamt: 'dreamed',
  }),
)

const beginnings: Rules = [
  [/^anae(?=[ms])/, 'ane'],
  [/^haem(?=[aoe])/, 'hem'],
  [/^paed(?=i)/, 'ped'],
  [/^orthopaed/, 'orthoped'],
  [/^gynaec/, 'gynec'],
  [/^foet/, 'fet'],
  [/^diarrhoe/, 'diarrhe'],
  [/^mould/, 'mold'],
  [/^smoulder/, 'smolder'],
  [/^counsell(?=[eio])/, 'counsel'],
]

const mayChange = /our|is[eai]|ys[ei]|tre|bre|ogue|ll[ei]/

/** What stands before "-ise" in words that Americans write so too, or whose other forms would no longer meet them. */
const keepsS = new Set(
  (
    'adv rev superv telev improv surpr comprom prom prem exerc franch merchand enterpr dev dem exc conc prec desp ' +
    'appr appra pra bra cru bru disgu otherw likew clockw expert treat porpo tort circumc chast advert parad compr repr'
  ).split(' '),
)
/** The same for "-our": "flour", "contour". */
const keepsU = new Set('fl sc dev con cont det vel glam am param outp tamb troubad'.split(' '))

const endings: Rules = [
  [/(?<=centime|kilome|millime|cen|thea|lus|spec|scep|amphithea)tre(?=s?$)/, 'ter'],
  [/(?<=cali)bre(?=s?$)/, 'ber'],
  [/(?<=cent)red$/, 'ered'],
  [/(?<=catal|dial|anal|monol|prol|epil|travel)ogue(?=s?$)/, 'og'],
  [/(?<=anal|paral|catal|electrol|hydrol)ys(?=(?:e|ed|er|ers|ing)$)/, 'yz'],
  [
    /(?<=trave|cance|labe|mode|leve|fue|signa|marve|marsha|jewe|tota|equa|dia|pane|channe|funne|tunne|counse|initia)ll(?=(?:ed|er|ers|ing|ings)$)/,
    'l',
  ],
]

const verb = /^([a-z]{3,})is((?:e|es|ed|er|ers|ing|ation|ations|able|ational))$/
const colour = /^([a-z]{2,})our((?:s|ed|ing|able|ite|ites|ful|hood|hoods|less|er|ers)?)$/
