import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stemEnglish } from './porter.ts'

test('words are cut to the stems that the algorithm was published with', () => {
  const published = `caresses:caress ponies:poni ties:ti caress:caress cats:cat feed:feed agreed:agre
    plastered:plaster bled:bled motoring:motor sing:sing conflated:conflat troubled:troubl sized:size hopping:hop
    tanned:tan falling:fall hissing:hiss fizzed:fizz failing:fail filing:file happy:happi sky:sky
    relational:relat conditional:condit rational:ration digitizer:digit radicalli:radic vileli:vile
    vietnamization:vietnam predication:predic operator:oper feudalism:feudal decisiveness:decis
    hopefulness:hope callousness:callous formaliti:formal sensitiviti:sensit sensibiliti:sensibl
    triplicate:triplic formative:form formalize:formal electriciti:electr electrical:electr hopeful:hope
    goodness:good revival:reviv allowance:allow inference:infer airliner:airlin gyroscopic:gyroscop
    adjustable:adjust defensible:defens irritant:irrit replacement:replac adjustment:adjust dependent:depend
    adoption:adopt homologou:homolog communism:commun activate:activ angulariti:angular homologous:homolog
    effective:effect bowdlerize:bowdler probate:probat rate:rate cease:ceas controll:control roll:roll`
  for (const pair of published.split(/\s+/)) {
    const [word = '', stem = ''] = pair.split(':')
    assert.equal(stemEnglish(word), stem, word)
  }
})

test('very short words are left as they are', () => {
  for (const word of ['', 'a', 'is', 'by']) assert.equal(stemEnglish(word), word)
})
