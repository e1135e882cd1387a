/** The look of the sandbox's pages: the product's colours and faces, at all widths, in both directions, light and dark. */

/** Faces it serves itself, by the file of the printed documents. */
export const faces = ['display-latin', 'display-arabic', 'text-latin-400', 'text-latin-600', 'text-arabic-400', 'text-arabic-600'] as const

export const facePath = '/sandbox/faces'

const arabic = 'U+0600-06FF,U+0750-077F,U+08A0-08FF,U+FB50-FDFF,U+FE70-FEFC'
const latin =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215'

const face = (name: (typeof faces)[number]): string => {
  const family = name.startsWith('display') ? 'Display' : 'Text'
  const weight = name.endsWith('600') ? 600 : 400
  return `@font-face{font-family:${family};font-weight:${weight};font-display:swap;src:url(${facePath}/${name}.ttf);unicode-range:${name.includes('arabic') ? arabic : latin}}`
}

const light =
  'color-scheme:light;--paper:#faf7f1;--raised:#fff;--ink:#241a20;--ink2:#5d5158;--line2:#d8ccbe;--edge:#8b7f85;--prune:#5b1f47;--prune-h:#451535;--on:#fff9f3;--tint:#f5e8ee;--petal:#c4674a;--wait:#7a5200;--wait-t:#faedcf;--ok:#256245;--ok-t:#e1efe4;--bad:#a32b25;--bad-t:#fbe6e2;--focus:#7a2a60'
const dark =
  'color-scheme:dark;--paper:#181216;--raised:#221a1f;--ink:#f5eee6;--ink2:#c0b3b7;--line2:#4a3d44;--edge:#85777e;--prune:#efbfd6;--prune-h:#f7d3e4;--on:#2c1022;--tint:#2a1c25;--petal:#e08a6c;--wait:#efc46d;--wait-t:#3a2c10;--ok:#8fd3ae;--ok-t:#1b3127;--bad:#f5a196;--bad-t:#43201d;--focus:#f7d3e4'

export const style = `${faces.map(face).join('')}
:root{${light}}@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:400 1rem/1.5 Text,system-ui,sans-serif;overflow-wrap:anywhere}
h1,h2,p,fieldset,legend{margin:0;padding:0}fieldset{border:0;min-inline-size:0}
h1,h2{font-family:Display,Georgia,serif;font-weight:400;line-height:1.15}
.trial{padding:10px 20px;background:var(--wait-t);color:var(--wait);font-weight:600;text-align:center}
main{flex:1;display:grid;grid-template-rows:auto 1fr}
.what{padding:28px 20px 32px;background:var(--tint)}
.logo{font:400 1.75rem/1 Display,Georgia,serif;letter-spacing:-.03em;color:var(--prune);direction:ltr;display:inline-block}
.logo span{position:relative}
.logo svg{position:absolute;inset-block-start:-.09em;inset-inline-start:.12em;inline-size:.27em;block-size:.4em;fill:var(--petal)}
.what p{color:var(--ink2)}
.what .label{margin-block-start:28px}
.what .amount{font:400 3.25rem/1.1 Display,Georgia,serif;color:var(--prune);letter-spacing:-.02em;margin-block:2px 10px}
.what .for{color:var(--ink);font-size:1.125rem}
.what .until{margin-block-start:14px;font-size:.9375rem}
.how{padding:28px 20px 48px}
.how h1{font-size:1.875rem;margin-block-end:8px}
.lead{color:var(--ink2);margin-block-end:20px}
.choices{display:grid;gap:10px}
.choice{display:flex;gap:14px;align-items:center;min-block-size:64px;padding:10px 16px;border:1px solid var(--line2);border-radius:12px;background:var(--raised);cursor:pointer}
.choice:hover{border-color:var(--edge)}
.choice:has(:checked){border-color:var(--prune);box-shadow:inset 0 0 0 1px var(--prune)}
.choice input{flex:none;inline-size:22px;block-size:22px;margin:0;accent-color:var(--prune)}
.choice b{display:block;font-weight:600;line-height:1.3}
.choice small{font-size:.875rem;color:var(--ink2)}
.buttons{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin-block-start:24px}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-block-size:52px;padding-inline:22px;border:1px solid var(--edge);border-radius:12px;background:none;color:var(--ink);font:600 1rem/1.1 Text,system-ui,sans-serif;text-decoration:none;cursor:pointer}
button:hover,.button:hover{border-color:var(--ink)}
.solid{grid-column:1/-1;min-block-size:56px;border-color:var(--prune);background:var(--prune);color:var(--on)}
.solid:hover{background:var(--prune-h);border-color:var(--prune-h)}
.buttons>:nth-child(2):last-child{grid-column:1/-1}
.bank .buttons>:nth-child(2){grid-column:auto}.bank .buttons>:only-child{grid-column:1/-1}
.hint{margin-block-start:18px;font-size:.875rem;color:var(--ink2)}
.mark{display:inline-grid;place-items:center;inline-size:56px;block-size:56px;border-radius:50%;margin-block-end:18px;background:var(--bad-t);color:var(--bad)}
.mark.paid{background:var(--ok-t);color:var(--ok)}
.mark svg{inline-size:26px;block-size:26px;fill:none;stroke:currentColor;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
.tag{display:inline-block;margin-block-end:14px;padding:4px 12px;border-radius:999px;background:var(--tint);color:var(--prune);font-size:.875rem;font-weight:600}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.choice:has(:focus-visible){outline:3px solid var(--focus);outline-offset:2px}.choice :focus-visible{outline:0}
@media (min-width:900px){main{grid-template:1fr/minmax(0,5fr) minmax(0,6fr)}
.what{padding:72px 64px;display:flex;flex-direction:column;align-items:flex-end}.what>div{inline-size:100%;max-inline-size:400px}
.what .amount{font-size:4.5rem}.what .label{margin-block-start:56px}
.how{padding:72px 64px}.how>*{max-inline-size:480px}}
`
