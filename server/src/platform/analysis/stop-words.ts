/**
 * Words that say nothing about the topic of a text, by language. They are indexed, but do not count in a text's
 * length. Search looks for them only if a query has no other words. They also show a text's language.
 */
import { fold } from './fold.ts'

const lists = {
  en: `a an the this that these those such and or but nor if then than so as because while
    of in on at by for with from to into onto about between through over under during
    i me my mine we us our ours you your yours he him his he she her hers it its they them their theirs
    is am are was were be been being has have had having do does did doing
    can could will would shall should may might must
    what which who whom whose when where why how
    there here not no any all some other more most also only very`,
  de: `der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner
    und oder aber denn sondern wenn als weil dass daß ob damit sowie
    in im an am auf aus bei beim bis durch für gegen mit nach ohne seit über um unter von vom vor zu zum zur zwischen während
    ich mich mir mein meine meinen du dich dir dein deine er ihn ihm sein seine seinen seiner sie ihr ihre ihren ihrer ihrem es wir uns unser unsere ihnen sich
    ist bin bist sind war waren wird werden wurde wurden worden sei hat habe haben hatte hatten
    kann können konnte muss müssen soll sollen will wollen darf dürfen
    was wer wie wo wann warum welche welcher welches welchem
    nicht auch nur noch schon sehr hier dort da dann so diese dieser dieses diesem diesen jede jeder jedes alle allen man etwas mehr`,
  fr: `le la les l un une des du de d au aux ce cet cette ces
    et ou mais donc car ni si que qu qui quoi dont où lorsque puisque comme
    en dans sur sous par pour avec sans vers chez entre depuis pendant après avant contre jusque
    je j me m moi mon ma mes tu te t toi ton ta tes il elle on nous notre nos vous votre vos ils elles leur leurs lui se s soi son sa ses y
    est suis es sommes êtes sont était étaient être été sera seront ai as a avons avez ont avait avaient avoir eu
    peut peuvent doit doivent fait faire
    quel quelle quels quelles quand comment pourquoi combien
    ne n pas plus très aussi bien tout tous toute toutes autre autres même ici là cela ça`,
  es: `el la los las lo un una unos unas al del este esta estos estas ese esa esos esas aquel aquella
    y e o u pero sino porque si que como cuando donde aunque mientras pues
    a ante bajo con contra de desde durante en entre hacia hasta para por según sin sobre tras
    yo me mi mis tú te tu tus él ella ello nosotros nos nuestro nuestra nuestros nuestras vosotros ellos ellas les le se su sus usted ustedes
    es soy eres somos son era eran ser sido fue fueron está están estaba estar he has ha hemos han había haber hay
    puede pueden debe deben
    qué cuál cuáles quién quiénes cómo cuándo dónde cuánto cuántos
    no ni sí más muy también ya solo todo toda todos todas otro otra otros otras cada algo`,
  it: `il lo la i gli le l un uno una del dello della dei degli delle al allo alla ai agli alle dal dalla dai dalle nel nello nella nei negli nelle sul sulla sui sulle
    questo questa questi queste quello quella quelli quelle
    e ed o od ma però perché se che chi cui come quando dove anche mentre
    a ad di d da in con su per tra fra entro senza dopo prima verso contro durante
    io mi me mio mia tu ti te tuo tua lui lei gli noi ci nostro nostra nostri voi vi vostro loro si suo sua suoi sue ne
    è sono sei siamo siete era erano essere stato stata stati sia ho hai ha abbiamo hanno aveva avere
    può possono deve devono viene vengono
    cosa quale quali quanto quanti
    non né più molto già ancora solo tutto tutta tutti tutte altro altri ogni qui`,
  pt: `o a os as um uma uns umas do da dos das no na nos nas ao à aos às pelo pela pelos pelas num numa deste desta neste nesta este esta estes estas esse essa isso isto aquele aquela
    e ou mas porém porque se que como quando onde embora enquanto pois
    de em para por com sem sobre sob entre até desde durante após contra segundo
    eu me mim meu minha tu te teu tua ele ela nós nosso nossa nossos nossas vós eles elas lhe lhes seu sua seus suas você vocês
    é sou és somos são era eram ser sido foi foram está estão estava estar tem têm tinha ter há haver havia
    pode podem deve devem
    qual quais quem quanto quantos
    não nem sim mais muito também já só apenas todo toda todos todas outro outra outros outras cada`,
  nl: `de het een die dat deze dit
    en of maar want dus als omdat dan toen terwijl hoewel
    in op aan bij met van voor door naar uit over onder tussen tot tegen zonder om na binnen buiten te per tijdens
    ik mij me mijn jij je jou jouw hij hem zijn zij ze haar het wij we ons onze jullie u uw hun hen zich
    is ben bent was waren wordt worden werd werden geworden zijn heb hebt heeft hebben had hadden
    kan kunnen kon moet moeten zal zullen zou zouden wil willen mag mogen
    wat wie waar wanneer waarom hoe welke welk
    niet geen ook nog al er hier daar zo zeer meer veel alle elke iets`,
  ru: `и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас нибудь вам сказал
    там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет ж тогда кто этот того потому этого какой
    ним здесь этом один почти мой тем чтобы нее были куда зачем всех никогда можно при об другой хоть после над больше тот через эти нас про всего них какая много разве эту моя
    свою этой перед иногда лучше том такой им более всегда конечно всю между это является который которая которые которых также должен должна должны`,
  da: `og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun nu over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev
    kunne ind når være dog noget ville jo deres efter ned skulle denne end dette mit også under have dig anden hende mine alt meget sit sine vor mod disse hvis din nogle hos blive mange ad bliver hendes været
    thi jer sådan kan inden hvordan hvorfor hvornår hvilken hvilke kun ved må uden mellem derfor`,
  sv: `och det att i en jag hon som han på den med var sig för så till är men ett om hade de av icke mig du henne då sin nu har inte hans honom skulle hennes där min man ej vid kunde något från ut när efter upp
    vi dem vara vad över än dig kan sina här ha mot alla under någon eller allt mycket sedan ju denna själv detta åt utan varit hur ingen mitt ni bli blev oss din dessa några deras blir mina samma vilken er sådan
    vår blivit dess inom mellan sådant varför varje vilka ditt vem vilket sitta sådana vart dina vars vårt våra ert era vilkas ska skall måste också bara finns samt`,
  no: `og i jeg det at en et den til er som på de med han av ikke der så var meg seg men ett har om vi min mitt ha hadde hun nå over da ved fra du ut sin dem oss opp man kan hans hvor eller hva skal selv her alle
    vil bli ble blitt kunne inn når være kom noen noe ville dere deres kun ja etter ned skulle denne for deg si sine sitt mot å meget hvorfor dette disse uten hvordan ingen din ditt blir samme hvilken hvilke sånn
    inni mellom vår hver hvem vors hvis både bare enn fordi før mange også slik vært begge siden innen må blant eller`,
  fi: `ja on ei se hän että joka jotka mutta tai sekä kun jos niin kuin koska vaan vai
    olen olet olemme olette ovat oli olivat ollut olleet olla ole en et emme ette eivät eikä
    minä minun minua minulle sinä sinun hänen me meidän te teidän he heidän heitä tämä tämän tätä tässä nämä näiden tuo nuo ne niiden niitä sen sitä siinä siitä siihen
    mikä mitä minkä missä mistä mihin kuka kenen mitkä miten miksi milloin jonka jota jossa joita joiden joissa
    kanssa mukaan noin yli ennen jälkeen ilman välillä kautta ali asti sisällä aikana
    voi voivat voidaan pitää tulee täytyy saa vain myös nyt vielä jo sitten näin siis kaikki muu muut hyvin itse joka oma uudelleen heti`,
}

/** The languages whose words are stemmed. Texts in other languages are indexed word by word. */
export type LanguageCode = keyof typeof lists

const listOf = (language: LanguageCode): string[] => lists[language].trim().split(/\s+/)

const eachLanguage = <Value>(make: (language: LanguageCode) => Value): Record<LanguageCode, Value> => ({
  en: make('en'),
  de: make('de'),
  fr: make('fr'),
  es: make('es'),
  it: make('it'),
  pt: make('pt'),
  nl: make('nl'),
  ru: make('ru'),
  da: make('da'),
  sv: make('sv'),
  no: make('no'),
  fi: make('fi'),
})

/** The words as `fold` returns them. */
export const stopWords: Readonly<Record<LanguageCode, ReadonlySet<string>>> = eachLanguage(
  language => new Set(listOf(language).map(fold)),
)

/** The words as written, in small letters: accents help to tell a language. */
export const writtenStopWords: Readonly<Record<LanguageCode, readonly string[]>> = eachLanguage(listOf)
