import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FaceImage } from './face-image.tsx'
import { initialsOf } from './initials.ts'

describe('initials', () => {
  it.each([
    ['Camille Rey', 'CR'],
    ['Inès', 'I'],
    ['Jean-Luc de la Tour', 'JT'],
    ['émilie o’brien', 'ÉB'],
    ['Marion T.', 'MT'],
    ['سلمى العمري', 'س'],
    ['Ирина Петрова', 'ИП'],
    ['  ', ''],
    ['42', ''],
  ])('of "%s" are "%s"', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })
})

describe('a person', () => {
  const shown = (photoUrl: string | null, size?: 'portrait') =>
    render(<FaceImage name="Camille Rey" photoUrl={photoUrl} {...(size && { size })} />).container.firstElementChild

  it('has initials, never a face by lot, until there is a photo', () => {
    for (const none of [null, '', '/art/face/3f2a.svg']) {
      const picture = shown(none)
      expect(picture?.tagName).toBe('SPAN')
      expect(picture?.querySelector('bdi')?.dataset['initials']).toBe('CR')
      expect(picture?.textContent).toBe('')
      // The name stands beside it; read twice it would be noise.
      expect(picture?.getAttribute('aria-hidden')).toBe('true')
    }
  })

  it('has its photo, and somebody invented the portrait that was chosen', () => {
    expect(shown('/files/camille.webp')?.getAttribute('src')).toBe('/files/camille.webp')
    expect(shown('/files/camille.webp')?.className).not.toContain('art')
    expect(shown('/art/face/ines.svg?style=bun', 'portrait')?.className).toContain('art')
  })

  it('keeps its paper', () => {
    expect(shown(null)?.className).toBe(shown(null)?.className)
    expect(shown(null, 'portrait')?.className).not.toBe(shown(null)?.className)
  })
})
