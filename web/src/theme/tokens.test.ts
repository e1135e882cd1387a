// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

function tokensOf(opening: string): Map<string, string> {
  const start = css.indexOf(opening)
  const block = css.slice(start, css.indexOf('}', start))
  return new Map([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]))
}

const themes = {
  light: tokensOf("[data-theme='light'] {"),
  dark: tokensOf("\n[data-theme='dark'] {"),
  system: tokensOf(':root:not([data-theme]) {'),
}

function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[\da-f]/gi, '$&$&') : hex
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(full.slice(at, at + 2), 16) / 255
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const textOn: readonly [text: string, ground: string][] = [
  ...['paper', 'raised', 'sunken'].flatMap((ground) => ['ink', 'ink2', 'ink3'].map((text): [string, string] => [text, ground])),
  ['prune', 'paper'],
  ['prune', 'raised'],
  ['prune', 'tint'],
  ['on', 'prune'],
  ['on', 'prune-h'],
  ['clay-ink', 'paper'],
  ['clay-ink', 'raised'],
  ['on-clay', 'clay-ink'],
  ['on-bad', 'bad'],
  ['sage', 'sage-t'],
  ['ink', 'sage-t'],
  ['ink', 'wait-t'],
  ['bad', 'raised'],
  ['bad', 'paper'],
  ...['ok', 'wait', 'bad', 'inf', 'dep'].map((tone): [string, string] => [tone, `${tone}-t`]),
]

const graphicOn: readonly [graphic: string, ground: string][] = [
  ['edge', 'raised'],
  ['edge', 'paper'],
  ['clay', 'paper'],
  ['focus', 'paper'],
  ['focus', 'raised'],
]

describe.each(['light', 'dark'] as const)('the %s colours', (theme) => {
  const value = (name: string) => themes[theme].get(name) ?? ''

  it.each(textOn)('let %s be read on %s', (text, ground) => {
    expect(contrast(value(text), value(ground))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(graphicOn)('let %s be seen on %s', (graphic, ground) => {
    expect(contrast(value(graphic), value(ground))).toBeGreaterThanOrEqual(3)
  })
})

describe('the dark colours', () => {
  it('are the same whether chosen or taken from the system', () => {
    expect([...themes.system]).toEqual([...themes.dark])
  })

  it('exist for every light one', () => {
    expect([...themes.dark.keys()]).toEqual([...themes.light.keys()])
  })
})
