/**
 * Words that are common in texts about anything, beside the stop words. A passage that shares only these with a
 * question is not about what is asked. They are general knowledge of each language, not of any set of questions.
 */
import { fold } from '../../analysis/fold.ts'
import { plainTerm, termOf } from '../../analysis/languages.ts'
import type { LanguageCode } from '../../analysis/stop-words.ts'

const lists: Partial<Record<LanguageCode, string>> = {
  en: `able above accept across actually add again ago agree allow almost alone along already always amount another answer anyone
    anything apply around ask available away back bad base become before begin behind believe below best better big bit both bring
    build busy buy call came care carry case cause certain change check choose clear close come complete consider contact contain
    continue copy correct cost count course cover create current cut date day deal decide deep depend describe detail different
    difficult down drop each early easy either end enough enter even evening ever every everyone everything exact example except
    expect explain extra face fact fail fall far fast feel few fill final find fine finish first fit five follow form four free full
    further gave get getting give go going gone good got great group grow half hand happen hard head hear heavy help high hold hope
    hour however idea important include inside instead just keep kind knew know large last late later learn least leave left less
    let level like line list little live long longer look lose lost lot low main make many matter maybe mean meet mind minute miss
    mistake moment money month morning most move much name near need never new next nice normal note nothing now number off
    offer often ok okay old once one open order others out outside own paid part past pay people per perhaps person piece place plan
    point possible prefer prepare present probably problem produce provide put question quick quite rather reach read ready real
    really reason receive record remain remember remove repeat reply report require result return right rule run said same save say
    second see seem seen send sent separate serious serve set several short should show side sign similar simple since single size
    small someone something sometimes soon sort special spend stand start state stay step still stop such sure take taken talk tell
    ten term thank thing think third though thought three time today together told tomorrow tonight took top total toward try turn
    twice two type under understand until up upon us use useful usual value various wait walk want way week well went whether whole
    wish within without wonder word work world worth write wrong year yes yesterday yet young`,
  de: `anderer anfangen arbeit art aufgabe bald bekommen benutzen bereits besser bestimmt bitte bleiben brauchen bringen davon dabei dafür
    daher damals danach daran darauf darf darüber dazu drei dürfen einfach einmal ende endlich erhalten erst erste fall falls fast
    finden folgen frage frei früh ganz geben gehen gelten genau genug gerade gern gibt gleich groß gut halten heute hin immer jahr
    jemand jetzt kaufen klein kommen können kriegen kurz lange lassen laut leicht letzte liegen machen mal mensch monat morgen möchte
    müssen möglich nehmen nehmen nennen neu nie nötig oben oft ort paar platz recht richtig sache sagen schnell schreiben sehen seite
    selbst setzen sicher sollen sonst später stehen stelle stellen stück stunde tag teil tun uhr viel vielleicht voll vorher wenig weg
    weil weit weiter welche wert wichtig wieder wissen woche wohl wollen wort zahlen zeigen zeit ziehen zurück zusammen zwei`,
  fr: `aller année appeler arriver assez attendre aujourd'hui autant avance avoir beaucoup besoin bien bon cas chaque chercher chose
    combien commencer comprendre connaître deux dernier devenir devoir dire donner droit également encore enfin ensuite entrer façon
    falloir faut fin fois grand heure homme hier jamais jour laisser lieu loin long main mal matin mettre mois moment monde montrer
    nombre nouveau obtenir oui ouvrir parler partie partir passer payer penser permettre personne petit peu place point porter
    possible pouvoir premier prendre presque près prix problème propre puis question recevoir rendre rester retour rien sembler
    semaine sentir seul seulement simple soir sorte sortir souvent suivre tard temps tenir toujours travail travailler trois trop
    trouver utiliser valoir venir vie vite voir vouloir vrai`,
  es: `abrir acabar además ahora algo alguien alguno antes año aquí ayer bien bueno cada cambiar casa caso casi cierto comenzar comprar
    conocer conseguir contar cosa creer cualquier dar deber decir dejar demás dentro después día dinero dos empezar encontrar entonces
    entrar escribir esperar fin forma general grande gustar haber hablar hacer hecho hora hoy igual importante ir jamás largo
    llegar llevar lugar luego mal mañana manera mano mayor mejor menos mes mientras mismo momento mucho mundo nada nadie necesitar
    nombre nuevo número nunca parecer parte pasar pedir pensar pequeño persona poco poder poner posible primero problema propio
    pronto punto quedar querer recibir resultado saber salir seguir segundo seguro semana sentir ser siempre siguiente solo suceder
    tal tarde tener tiempo tipo todavía tomar trabajar trabajo tratar tres último único usar valor venir ver vez vida volver`,
  it: `abbastanza allora andare anno ancora arrivare aspettare avere bene bisogno buono cambiare capire caso cercare cominciare comprare
    conoscere cosa credere dare davvero dire diventare domani dopo dovere due entrare essere fare fine finire fino forse forma forte
    giorno giusto grande gruppo ieri insieme inizio lasciare lavorare lavoro luogo lungo mai male mandare mano mattina meglio meno
    mese mettere modo momento mondo niente nome nuovo numero oggi ora parlare parte passare pensare perdere persona piccolo poco
    portare possibile potere prendere presto primo problema proprio pure ricevere rimanere sapere scrivere secondo sembrare sempre
    sentire sera settimana sicuro solito sopra spesso stare stesso subito succedere tanto tardi tempo tenere tornare tre trovare
    ultimo usare uscire valore vedere venire vero vita volere volta`,
  pt: `agora algo alguém algum andar ano antes aqui assim bem bom cada caso certo chegar coisa começar comprar conhecer conseguir dar
    deixar depois dever dia dinheiro dizer dois encontrar entrar escrever esperar falar fazer ficar fim forma grande hoje hora ir
    lado levar lugar maior mal manhã melhor menos mês mesmo modo momento mudar mundo nada ninguém nome novo número nunca ontem
    parecer parte passar pedir pensar pequeno pessoa poder pôr possível pouco precisar primeiro problema próprio quase querer receber
    resultado saber sair seguir segundo semana sempre sentir ser tarde tempo ter tomar trabalhar trabalho três último usar valor ver
    vez vida vir voltar`,
  nl: `achter alleen altijd ander anders begin beginnen beter bijna blijven brengen daar daarna dag deel ding doen drie duidelijk eerst
    eerste eigen einde elk eten gaan gebruiken geld gelijk geven gewoon goed graag groot half hebben heel helpen houden iemand jaar
    juist kijken klaar klein komen kopen kort krijgen kunnen laat laatste laten lang leggen leven maand maken mens minder misschien
    moeten mogelijk morgen naam nemen niets nieuw nodig nooit nu nummer ochtend open plaats praten precies probleem punt recht samen
    schrijven snel soms staan stellen steeds tijd twee uur vaak vandaag vast ver verder vinden vol volgende vragen vroeg waarde weer
    week weg weinig werk werken weten worden zaak zeggen zeker zelf zetten zien zoeken`,
  ru: `большой будущий важный вместе вопрос время все всегда вторая выйти год говорить два дать два делать дело день деньги думать
    другой ещё жизнь знать идти иметь каждый конец который люди маленький место месяц многий можно мой начать неделя новый нужно
    один оставить первый писать плохой понять последний потом почти прийти про просто пять работа работать раз рано рука сегодня
    сказать слово случай смотреть сразу стать сторона также теперь три утро хороший хотеть час часто человек число`,
}

/** By language, as written. */
export const commonWords: Readonly<Record<'en', readonly string[]>> = { en: wordsOf('en') }

function wordsOf(language: LanguageCode): string[] {
  return (lists[language] ?? '').trim().split(/\s+/)
}

const stems = new Map<LanguageCode, ReadonlySet<string>>()

/** Whether a stem, without its language's mark, is that of a common word. */
export function isCommon(stem: string, language: LanguageCode): boolean {
  let own = stems.get(language)
  if (own === undefined) {
    own = new Set(wordsOf(language).map(word => plainTerm(termOf(word, fold(word), language).term)))
    stems.set(language, own)
  }
  return own.has(stem)
}
