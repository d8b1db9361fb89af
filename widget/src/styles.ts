/** The looks, as text: a constructed style sheet works under a policy that forbids inline style. */
export const styles = `
:host {
  --accent: var(--atrium-accent, light-dark(#3b4cca, #a5b0ff));
  --accent-ink: var(--atrium-accent-ink, light-dark(#fff, #14162b));
  --surface: var(--atrium-surface, light-dark(#fff, #17181c));
  --sunken: var(--atrium-sunken, light-dark(#f3f4f7, #23252b));
  --ink: var(--atrium-ink, light-dark(#1b1d23, #eceef3));
  --muted: var(--atrium-muted, light-dark(#565b68, #a9afbd));
  --edge: var(--atrium-edge, light-dark(#d5d8e0, #3a3d46));
  --danger: light-dark(#a4161a, #ff9c9c);
  --radius: var(--atrium-radius, 12px);
  color-scheme: light dark;
  display: block;
  height: var(--atrium-height, 560px);
  font: 15px/1.5 var(--atrium-font, system-ui, sans-serif);
  color: var(--ink);
}
:host([launcher]) { display: contents; }
:host([page]) { position: fixed; inset: 0; height: auto; }
:host([page]) .panel { border: 0; border-radius: 0; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; border: 0; background: none; padding: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.panel {
  display: flex; flex-direction: column; position: relative; height: 100%; min-height: 0; overflow: hidden;
  background: var(--surface); color: var(--ink); border: 1px solid var(--edge); border-radius: var(--radius);
}
:host([launcher]) .panel {
  position: fixed; z-index: 2147483000; inset-block-end: 88px; inset-inline-end: 20px;
  width: var(--atrium-width, 400px); height: min(var(--atrium-height, 620px), calc(100dvh - 108px));
  box-shadow: 0 12px 40px rgb(0 0 0 / .22);
  font: 15px/1.5 var(--atrium-font, system-ui, sans-serif);
}
.launcher {
  position: fixed; z-index: 2147483000; inset-block-end: 20px; inset-inline-end: 20px;
  width: 56px; height: 56px; border-radius: 50%; background: var(--accent); color: var(--accent-ink);
  box-shadow: 0 6px 20px rgb(0 0 0 / .25); display: grid; place-items: center;
}
@media (max-width: 480px) {
  :host([launcher][open]) .launcher { display: none; }
  :host([launcher]) .panel {
    inset: 0 0 auto; width: auto; height: var(--visible-height, 100dvh); border: 0; border-radius: 0;
  }
}
header { display: flex; align-items: center; gap: 4px; padding: 10px 12px; border-block-end: 1px solid var(--edge); }
h2 { flex: 1; min-width: 0; margin: 0; font-size: 16px; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.icon { width: 36px; height: 36px; border-radius: 8px; display: grid; place-items: center; color: var(--muted); flex: none; }
.icon:hover, .icon[aria-pressed="true"] { background: var(--sunken); color: var(--ink); }
.log { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; padding: 16px; display: flex; flex-direction: column; gap: 16px; }
.turn { max-width: 100%; min-width: 0; overflow-wrap: anywhere; }
.person { align-self: flex-end; max-width: 85%; padding: 8px 12px; border-radius: var(--radius); background: var(--accent); color: var(--accent-ink); white-space: pre-wrap; }
.note { color: var(--muted); font-size: 14px; margin: 4px 0 0; }
.fault { color: var(--danger); }
.again { color: var(--accent); text-decoration: underline; font-size: 14px; min-height: 24px; }
.text > :first-child { margin-block-start: 0; }
.text > :last-child { margin-block-end: 0; }
.text p, .text ul, .text ol, .text pre, .text blockquote, .text .table { margin-block: 8px; }
.text h3 { font-size: 15px; margin-block: 14px 4px; }
.text a, .passage a { color: var(--accent); }
.text ul, .text ol { padding-inline-start: 22px; }
.text code { font: 13px/1.4 ui-monospace, monospace; background: var(--sunken); border-radius: 4px; padding: 1px 4px; }
.text pre { overflow-x: auto; background: var(--sunken); border-radius: 8px; padding: 10px; }
.text pre code { background: none; padding: 0; }
.text blockquote { margin-inline: 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--edge); color: var(--muted); }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; }
th, td { border: 1px solid var(--edge); padding: 4px 8px; text-align: start; }
.mark { min-width: 24px; min-height: 24px; font-size: 11px; font-weight: 600; color: var(--accent); vertical-align: middle; margin-block: -4px; border-radius: 6px; }
.mark::before { content: "["; } .mark::after { content: "]"; }
.mark:hover, .chip:hover { background: var(--sunken); }
.chips { list-style: none; display: flex; flex-wrap: wrap; gap: 6px; padding: 0; margin: 8px 0 0; }
.chips li { min-width: 0; }
.chip { display: flex; gap: 6px; max-width: 240px; min-height: 26px; align-items: center; padding: 2px 10px; border: 1px solid var(--edge); border-radius: 99px; font-size: 13px; color: var(--muted); }
.chip b { color: var(--accent); }
.chip span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.opinion { display: flex; gap: 2px; margin-block-start: 4px; }
.opinion .icon { width: 32px; height: 32px; }
.passage { position: absolute; inset: 0; background: var(--surface); display: flex; flex-direction: column; }
.passage > div { padding: 16px; overflow-y: auto; flex: 1; min-height: 0; }
.passage blockquote { margin: 8px 0 4px; padding-inline-start: 12px; border-inline-start: 3px solid var(--accent); white-space: pre-line; overflow-wrap: anywhere; }
form { display: flex; align-items: flex-end; gap: 8px; padding: 10px 12px; border-block-start: 1px solid var(--edge); }
textarea { flex: 1; min-width: 0; resize: none; max-height: 140px; field-sizing: content; min-height: 40px; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 10px; background: var(--surface); font-size: 16px; line-height: 22px; }
textarea::placeholder { color: var(--muted); opacity: 1; }
.send { width: 40px; height: 40px; flex: none; border-radius: 10px; background: var(--accent); color: var(--accent-ink); display: grid; place-items: center; }
.send:disabled { opacity: .5; cursor: default; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.dots::after { content: "…"; animation: blink 1.2s steps(2) infinite; }
@keyframes blink { 50% { opacity: .2; } }
@media (prefers-reduced-motion: reduce) { .dots::after { animation: none; } }
[dir="rtl"] .send svg, :host(:dir(rtl)) .send svg { transform: scaleX(-1); }
`
