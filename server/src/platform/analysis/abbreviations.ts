/**
 * Abbreviations that offices write instead of the words, and the words in full. A query with one also finds the other.
 * The lists are general knowledge, and were made without looking at any set of questions.
 */
import { fold } from './fold.ts'

const lists = `
  pto: paid time off | ooo: out of office | wfh: work from home, working from home, home office
  mfa: multi-factor authentication, multifactor authentication | 2fa: two-factor authentication
  sso: single sign-on | otp: one-time password | vpn: virtual private network | iam: identity and access management
  hr: human resources | ceo: chief executive officer | cfo: chief financial officer | cto: chief technology officer
  coo: chief operating officer | ciso: chief information security officer | cio: chief information officer
  dpo: data protection officer | md: managing director | vp: vice president | pm: project manager, product manager
  nda: non-disclosure agreement, confidentiality agreement | sla: service level agreement | dpa: data processing agreement
  msa: master services agreement | sow: statement of work | po: purchase order | rfp: request for proposal
  rfq: request for quotation | rfi: request for information | tos: terms of service | toc: table of contents
  kpi: key performance indicator | okr: objectives and key results | roi: return on investment | tco: total cost of ownership
  capex: capital expenditure | opex: operating expenses | cogs: cost of goods sold | ebit: earnings before interest and taxes
  ebitda: earnings before interest taxes depreciation and amortization | eps: earnings per share | pl: profit and loss
  vat: value added tax, sales tax | ap: accounts payable | ar: accounts receivable | ytd: year to date | yoy: year over year
  fy: fiscal year, financial year | ipo: initial public offering | sme: subject matter expert
  eta: estimated time of arrival | eod: end of day | cob: close of business | tbd: to be determined | asap: as soon as possible
  faq: frequently asked questions | sop: standard operating procedure | qa: quality assurance | qc: quality control
  rnd: research and development | rd: research and development | uat: user acceptance testing | poc: proof of concept
  mvp: minimum viable product | crm: customer relationship management | erp: enterprise resource planning
  cms: content management system | rma: return merchandise authorization | sku: stock keeping unit | bom: bill of materials
  sds: safety data sheet | msds: material safety data sheet | ppe: personal protective equipment | oem: original equipment manufacturer
  gdpr: general data protection regulation | pii: personally identifiable information, personal data | dob: date of birth
  ssn: social security number | byod: bring your own device | mdm: mobile device management | rdp: remote desktop
  dr: disaster recovery | bcp: business continuity plan | rto: recovery time objective | rpo: recovery point objective
  aws: amazon web services | ci: continuous integration | cd: continuous delivery, continuous deployment
  api: application programming interface | sdk: software development kit | ui: user interface | ux: user experience
  os: operating system | db: database | dns: domain name system | tls: transport layer security | ssd: solid state drive
  l10n: localization | i18n: internationalization | a11y: accessibility
  fte: full-time equivalent, full-time employee | pip: performance improvement plan | loa: leave of absence
  fmla: family and medical leave | esop: employee stock ownership plan | esg: environmental social and governance
  dei: diversity equity and inclusion | csr: corporate social responsibility
  mwst: mehrwertsteuer | ust: umsatzsteuer | agb: allgemeine geschäftsbedingungen | dsgvo: datenschutz-grundverordnung
  au: arbeitsunfähigkeitsbescheinigung, krankmeldung | kfz: kraftfahrzeug | lkw: lastkraftwagen | pkw: personenkraftwagen
  edv: elektronische datenverarbeitung | gf: geschäftsführer, geschäftsführung | br: betriebsrat | av: arbeitsvertrag
  tva: taxe sur la valeur ajoutée | rh: ressources humaines, recursos humanos | rgpd: règlement général sur la protection des données
  rtt: réduction du temps de travail | cdi: contrat à durée indéterminée | cdd: contrat à durée déterminée
  pdg: président-directeur général | iva: impuesto sobre el valor añadido, imposta sul valore aggiunto
  btw: belasting over de toegevoegde waarde | avg: algemene verordening gegevensbescherming | cao: collectieve arbeidsovereenkomst`

const inFull = new Map<string, string[]>()
const abbreviated = new Map<string, string[]>()
for (const entry of lists.split(/[|\n]/)) {
  const [short, long] = entry.split(': ').map(part => part.trim())
  if (short === undefined || long === undefined) continue
  const phrases = long.split(', ')
  inFull.set(fold(short), phrases)
  for (const phrase of phrases) {
    const key = wordsIn(phrase).join(' ')
    abbreviated.set(key, [...(abbreviated.get(key) ?? []), fold(short)])
  }
}

function wordsIn(phrase: string): string[] {
  return phrase.split(/[^\p{L}\p{N}]+/u).flatMap(word => (word === '' ? [] : [fold(word)]))
}

/** What the folded word may stand for, in words. */
export const sameInOtherWords = (word: string): readonly string[] => inFull.get(word) ?? []

/** The abbreviations of the phrases that are in a text of folded words. */
export function abbreviationsIn(words: readonly string[]): { short: string; first: number; last: number }[] {
  const found: { short: string; first: number; last: number }[] = []
  for (let first = 0; first < words.length; first++) {
    for (let length = 1; length <= longestPhrase && first + length <= words.length; length++) {
      for (const short of abbreviated.get(words.slice(first, first + length).join(' ')) ?? [])
        found.push({ short, first, last: first + length - 1 })
    }
  }
  return found
}

const longestPhrase = 7
