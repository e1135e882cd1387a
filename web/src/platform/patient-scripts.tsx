// A page is read before it is used. The document comes with its scripts put aside: the sheet, the faces and the pictures
// go first, and the scripts are fetched once something is painted, or at the first touch.
import { Children, Fragment, isValidElement, type ReactElement, type ReactNode } from 'react'
import { Scripts } from 'react-router'

const asideId = 'scripts-aside'

/** Runs in the browser as it stands here: fetches what was put aside when the first content is painted. */
const starter = `(() => {
  const aside = document.getElementById('${asideId}');
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
  for (const kind of ['pointerdown', 'keydown', 'touchstart']) addEventListener(kind, begin, { once: true, capture: true, passive: true });
})()`

type Tag = ReactElement<{
  rel?: string
  href?: string
  type?: string
  children?: ReactNode
  dangerouslySetInnerHTML?: { __html: string }
}>

/** The elements of a tree without the fragments around them. */
function tagsOf(node: ReactNode): Tag[] {
  return Children.toArray(node).flatMap((child) => {
    if (!isValidElement(child)) return []
    const tag = child as Tag
    return tag.type === Fragment ? tagsOf(tag.props.children) : [tag]
  })
}

const isPreload = ({ type, props }: Tag): boolean => type === 'link' && props.rel === 'modulepreload'
const isModule = ({ type, props }: Tag): boolean => type === 'script' && props.type === 'module'

/** The same elements with their module script and its preloads put aside; a starter fetches them after the first paint. */
export function putAside(scripts: ReactNode): ReactNode {
  const tags = tagsOf(scripts)
  const code = tags.find(isModule)?.props.dangerouslySetInnerHTML
  if (!code) return scripts
  const files = tags.filter(isPreload).flatMap(({ props: { href } }) => href ?? [])
  return (
    <>
      {tags.filter((tag) => !isPreload(tag) && !isModule(tag))}
      <script type="text/plain" id={asideId} data-files={JSON.stringify(files)} dangerouslySetInnerHTML={code} />
      <script dangerouslySetInnerHTML={{ __html: starter }} />
    </>
  )
}

/** The router's scripts; for `patient` pages they wait. Only rendered documents ask for that: in the browser they have run. */
export function PageScripts({ patient }: { patient: boolean }): ReactNode {
  // Called like a hook, to have its elements in hand before they are text.
  const scripts = Scripts({})
  return import.meta.env.SSR && patient ? putAside(scripts) : scripts
}
