/** Descriptions are Markdown; this turns the plain part of it into HTML. Raw HTML in them stays text. */
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type Html, html } from '../../platform/text/html.ts'

/** The fields of a syntax node that are read here, whatever its kind. */
type Node = {
  type: string
  value?: string
  url?: string
  ordered?: boolean | null | undefined
  children?: Node[]
}

export function markdown(text: string): Html {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return html`${tree.children.map(render)}`
}

function render(node: Node): Html {
  const inner = (node.children ?? []).map(render)
  switch (node.type) {
    case 'paragraph':
      return html`<p>${inner}</p>`
    case 'heading':
      return html`<h4>${inner}</h4>`
    case 'list':
      return node.ordered ? html`<ol>${inner}</ol>` : html`<ul>${inner}</ul>`
    case 'listItem':
      return html`<li>${inner}</li>`
    case 'strong':
      return html`<strong>${inner}</strong>`
    case 'emphasis':
      return html`<em>${inner}</em>`
    case 'inlineCode':
      return html`<code>${node.value}</code>`
    case 'code':
      return html`<pre><code>${node.value}</code></pre>`
    case 'link':
      return /^(https?:|\/|#)/.test(node.url ?? '')
        ? html`<a href="${node.url}">${inner}</a>`
        : html`${inner}`
    case 'table':
      return html`<table>${inner}</table>`
    case 'tableRow':
      return html`<tr>${inner}</tr>`
    case 'tableCell':
      return html`<td>${inner}</td>`
    default:
      return html`${node.value}${inner}`
  }
}
