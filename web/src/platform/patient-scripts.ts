// A page is read before it is used. The document comes with its scripts put aside: the sheet, the faces and the pictures
// go first, and the scripts are fetched once something is painted, or at the first touch.

/** Runs in the browser as it stands here: fetches what was put aside when the first content is painted. */
const starter = `(() => {
  const aside = document.getElementById('scripts-aside');
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    for (const href of JSON.parse(aside.dataset.files)) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    document.body.append(Object.assign(document.createElement('script'), { type: 'module', textContent: aside.textContent }));
  };
  const soon = () => requestAnimationFrame(() => setTimeout(begin));
  if (window.PerformanceObserver) new PerformanceObserver((list) => { if (list.getEntriesByName('first-contentful-paint').length) soon(); }).observe({ type: 'paint', buffered: true });
  addEventListener('load', () => setTimeout(begin, 200));
  const remember = ({ target }) => { const button = target.closest?.('button[type=button]'); if (button) window.earlyPress = button; };
  addEventListener('click', remember, true);
  window.stopRemembering = () => removeEventListener('click', remember, true);
  for (const kind of ['pointerdown', 'keydown', 'touchstart']) addEventListener(kind, begin, { once: true, capture: true, passive: true });
})()`

type Early = { earlyPress?: HTMLElement; stopRemembering?: () => void }

/** Presses the button that a hand pressed before the scripts came; called once when the page has taken over. */
export function pressWhatWasPressed(): void {
  const early = window as Early
  early.stopRemembering?.()
  const button = early.earlyPress
  delete early.earlyPress
  delete early.stopRemembering
  if (button?.isConnected) button.click()
}

/** Puts the module script of a rendered document and its preloads aside, with a starter that fetches them after the first paint. */
export function withPatientScripts(html: string): string {
  const files: string[] = []
  const bare = html.replaceAll(/<link rel="modulepreload" href="([^"]+)"[^>]*\/?>/g, (_, href: string) => {
    files.push(href)
    return ''
  })
  const list = JSON.stringify(files).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return bare.replace(
    /<script type="module" async="">([\s\S]*?)<\/script>/,
    (_, code: string) => `<script type="text/plain" id="scripts-aside" data-files="${list}">${code}</script><script>${starter}</script>`,
  )
}
