import { Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { putAside } from './patient-scripts.tsx'

const code = 'import "/assets/a.js";\nimport("/assets/b.js")'
/** As the router writes them. */
const scripts = (
  <>
    <link rel="modulepreload" href="/assets/a.js" />
    {['/assets/b.js'].map((href) => (
      <link key={href} rel="modulepreload" href={href} />
    ))}
    <Fragment>
      <script dangerouslySetInnerHTML={{ __html: 'data()' }} />
      <script type="module" async dangerouslySetInnerHTML={{ __html: code }} />
    </Fragment>
  </>
)

describe('scripts that wait', () => {
  it('are named for later instead of preloaded, and the data that is no module stays', () => {
    const patient = renderToStaticMarkup(putAside(scripts))
    expect(patient).not.toMatch(/<link[^>]*modulepreload/)
    expect(patient).toContain('data-files="[&quot;/assets/a.js&quot;,&quot;/assets/b.js&quot;]"')
    expect(patient).toContain('<script>data()</script>')
  })

  it('keep the code to run to the letter, as text the browser does not run by itself', () => {
    const patient = renderToStaticMarkup(putAside(scripts))
    expect(patient).toContain('<script type="text/plain" id="scripts-aside"')
    expect(patient).toContain(`>${code}</script>`)
    expect(patient).not.toContain('<script type="module"')
  })

  it('are left as they are where there is no module among them', () => {
    expect(renderToStaticMarkup(putAside(<script dangerouslySetInnerHTML={{ __html: 'data()' }} />))).toBe('<script>data()</script>')
    expect(putAside(null)).toBe(null)
  })
})
