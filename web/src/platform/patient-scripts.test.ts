import { describe, expect, it, vi } from 'vitest'
import { pressWhatWasPressed, withPatientScripts } from './patient-scripts.ts'

const page =
  '<html><head><link rel="modulepreload" href="/assets/a.js"/><link rel="stylesheet" href="/assets/s.css"/></head><body><h1>Hello</h1>' +
  '<link rel="modulepreload" href="/assets/b.js"/><script>data()</script><script type="module" async="">import "/assets/a.js";\nimport("/assets/b.js")</script></body></html>'

describe('a page whose scripts wait', () => {
  it('names its files for later instead of preloading them, and keeps its sheet and its data', () => {
    const patient = withPatientScripts(page)
    expect(patient).not.toContain('rel="modulepreload" href')
    expect(patient).toContain('data-files="[&quot;/assets/a.js&quot;,&quot;/assets/b.js&quot;]"')
    expect(patient).toContain('<link rel="stylesheet" href="/assets/s.css"/>')
    expect(patient).toContain('<script>data()</script>')
  })

  it('keeps the code to run to the letter, as text the browser does not run by itself', () => {
    const patient = withPatientScripts(page)
    expect(patient).toContain('id="scripts-aside"')
    expect(patient).toContain('>import "/assets/a.js";\nimport("/assets/b.js")</script>')
    expect(patient).not.toContain('<script type="module"')
  })

  it('leaves a page without scripts as it is', () => {
    expect(withPatientScripts('<html><body>Hello</body></html>')).toBe('<html><body>Hello</body></html>')
  })

  it('presses again what a hand pressed before the scripts came, once', () => {
    const button = document.body.appendChild(document.createElement('button'))
    const pressed = vi.fn()
    button.addEventListener('click', pressed)
    Object.assign(window, { earlyPress: button, stopRemembering: vi.fn() })
    pressWhatWasPressed()
    pressWhatWasPressed()
    expect(pressed).toHaveBeenCalledTimes(1)
    button.remove()
  })
})
