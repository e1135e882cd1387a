import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pictureFileName } from './download-picture.ts'
import { PictureViewer, type PictureViewerLabels, type PictureViewerProps } from './picture-viewer.tsx'

const labels: PictureViewerLabels = {
  title: 'Pictures',
  download: 'Download',
  downloadFailed: 'The picture couldn’t be saved.',
  close: 'Close',
  earlier: 'Previous picture',
  later: 'Next picture',
  zoomIn: 'Larger',
  zoomOut: 'Smaller',
  counter: (position, count) => `${position} of ${count}`,
}
const pictures = [
  { src: '/files/pictures/a.webp', alt: 'A hand' },
  { src: '/files/pictures/b.webp', alt: 'A chair' },
  { src: '/files/pictures/c.webp', alt: 'A lamp' },
] as const

function Page({ of = pictures, start = 0 }: Partial<Pick<PictureViewerProps, 'start'>> & { of?: PictureViewerProps['pictures'] }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && <PictureViewer pictures={of} start={start} labels={labels} onClose={() => setOpen(false)} />}
    </>
  )
}

async function open(page = <Page />): Promise<void> {
  render(page)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
}
const shown = () => screen.getByRole('dialog', { name: 'Pictures' }).querySelector('img[alt]:not([alt=""])')?.getAttribute('alt')
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })

beforeEach(() => {
  document.documentElement.dir = 'ltr'
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the picture viewer', () => {
  it('has all of them in a row, small ones where there are, and the one on show as it is', async () => {
    const ofTwo = [pictures[0], { ...pictures[1], small: '/files/pictures/b-320.webp' }] as const
    await open(<Page of={ofTwo} start={1} />)
    const sources = [...screen.getByRole('dialog', { name: 'Pictures' }).querySelectorAll('img')].map((one) => [
      one.getAttribute('alt') === '' ? 'row' : 'shown',
      one.getAttribute('src'),
    ])
    expect(sources).toEqual([
      ['shown', '/files/pictures/b.webp'],
      ['row', '/files/pictures/a.webp'],
      ['row', '/files/pictures/b-320.webp'],
    ])
  })

  it('[U-10] has one picture over the whole window, a close and a download button, and says which of how many it is', async () => {
    await open(<Page start={1} />)
    expect(shown()).toBe('A chair')
    expect(screen.getByText('2 of 3')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' }))
  })

  it('closes by its button and gives focus back to what opened it', async () => {
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }))
  })

  it('turns by arrows, Home and End, and stops at both ends', async () => {
    await open()
    press('ArrowLeft')
    expect(shown()).toBe('A hand')
    press('ArrowRight')
    expect(shown()).toBe('A chair')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' }))
    press('End')
    press('ArrowRight')
    expect(shown()).toBe('A lamp')
    press('Home')
    expect(shown()).toBe('A hand')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous picture' }).disabled).toBe(true)
  })

  it('[P-12] turns the other way where pages are read from right to left', async () => {
    document.documentElement.dir = 'rtl'
    await open()
    press('ArrowLeft')
    expect(shown()).toBe('A chair')
    press('ArrowRight')
    expect(shown()).toBe('A hand')
  })

  it('turns by a finger that goes sideways, not by one that scrolls or by the mouse', async () => {
    await open()
    const stage = screen.getByAltText('A hand').parentElement ?? document.body
    const swipe = (to: { clientX: number; clientY: number }, pointerType = 'touch') => {
      fireEvent.pointerDown(stage, { clientX: 200, clientY: 200, pointerType })
      fireEvent.pointerUp(stage, { ...to, pointerType })
    }
    swipe({ clientX: 190, clientY: 200 })
    swipe({ clientX: 100, clientY: 20 })
    swipe({ clientX: 60, clientY: 200 }, 'mouse')
    expect(shown()).toBe('A hand')
    swipe({ clientX: 60, clientY: 210 })
    expect(shown()).toBe('A chair')
    swipe({ clientX: 300, clientY: 210 })
    expect(shown()).toBe('A hand')
  })

  it('shows a picture larger, and as it was when it turns', async () => {
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Larger' }))
    press('ArrowRight')
    expect(shown()).toBe('A hand')
    await userEvent.click(screen.getByRole('button', { name: 'Next picture' }))
    expect([shown(), screen.queryByRole('button', { name: 'Smaller' })]).toEqual(['A chair', null])
    press('+')
    expect(screen.getByRole('button', { name: 'Smaller' })).toBeTruthy()
  })

  it('leads to any of them by the small ones; one alone has neither row nor arrows', async () => {
    await open()
    await userEvent.click(screen.getByRole('button', { name: '3 of 3' }))
    expect(shown()).toBe('A lamp')
    expect(screen.getByRole('button', { name: '3 of 3' }).getAttribute('aria-current')).toBe('true')
    cleanup()
    await open(<Page of={[pictures[0]]} />)
    expect(screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual([
      'Open',
      'Larger',
      'Download',
      'Close',
    ])
  })
})

describe('a download', () => {
  it('[U-10] is named by the prefix of the product and something random, and ends in .png', () => {
    const [one, other] = [pictureFileName(), pictureFileName()]
    expect(one).toMatch(/^soigne-[0-9a-f]{12}\.png$/)
    expect(one).not.toBe(other)
  })

  it('that fails says so and leaves the picture', async () => {
    vi.stubGlobal(
      'Image',
      class {
        decode = () => Promise.reject(new Error('gone'))
      },
    )
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Download' }))
    expect(await screen.findByText('The picture couldn’t be saved.')).toBeTruthy()
    expect(shown()).toBe('A hand')
  })
})
