import { act, cleanup, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SetupDraft } from '#/features/setup/draft/draft.ts'
import type { DraftChange } from '#/features/setup/draft/use-draft.ts'
import { renderDraft, renderKept } from '#/testing/render-draft.tsx'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { GalleryStep } from './gallery-step.tsx'
import { usePictureUpload } from './use-picture-upload.ts'

function Gallery({ draft, change }: { draft: SetupDraft; change: DraftChange }) {
  return <GalleryStep draft={draft} change={change} upload={usePictureUpload(change)} />
}
const part = (draft: SetupDraft, change: DraftChange) => <Gallery draft={draft} change={change} />
const picture = (id: string) => ({ id, url: `/files/${id}.webp`, width: 800, height: 600 })
const four = ['a', 'b', 'c', 'd'].map(picture)
const file = (name: string) => new File([name], `${name}.jpg`, { type: 'image/jpeg' })
const idsOf = ({ pictures }: SetupDraft) => pictures.map(({ id }) => id)

/** Names of the files that came, in order; what stands in `cut` gets no answer. */
let came: string[]
let cut: string[]

/** What the form carried: the test's files say their name. */
async function nameIn(body: unknown): Promise<string> {
  const sent = body instanceof FormData ? body.get('picture') : null
  return sent instanceof Blob ? sent.text() : ''
}

beforeEach(() => {
  localStorage.clear()
  came = []
  cut = []
  fakeServer({
    async sendSetupPicture({ body }) {
      const name = await nameIn(body)
      came.push(name)
      if (cut.includes(name)) throw new TypeError('Failed to fetch')
      if (name === 'notes') return refused(400, { code: 'bad_input', message: 'No', details: { fields: { picture: 'Not a picture.' } } })
      return { _id: `id-${name}`, url: `/files/${name}.webp`, width: 800, height: 600 }
    },
  })
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

const add = (...names: string[]) => userEvent.upload(screen.getByLabelText('Add pictures', { selector: 'input' }), names.map(file))
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('pictures of the setup', () => {
  it('[C-20] four, the line cut in the third: the others stay, and one Try again sends that one alone', async () => {
    cut = ['three']
    const { kept } = renderDraft({}, part)
    await add('one', 'two', 'three', 'four')
    await waitFor(() => expect(idsOf(kept())).toEqual(['id-one', 'id-two', 'id-four']))
    expect(came).toEqual(['one', 'two', 'three', 'four'])
    const waiting = screen.getByRole('listitem', { name: 'three.jpg' })
    expect(within(waiting).getByRole('status').textContent).toContain('It did not arrive.')
    expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1)
    cut = []
    came = []
    await press('Try again')
    await waitFor(() => expect(idsOf(kept())).toEqual(['id-one', 'id-two', 'id-four', 'id-three']))
    expect(came).toEqual(['three'])
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    cleanup()
    renderKept(part)
    expect(screen.getAllByRole('img', { name: /^Picture/ })).toHaveLength(4)
  })

  it('what is no picture says why in the words of the server, and can be taken off', async () => {
    const { kept } = renderDraft({ pictures: four }, part)
    await add('notes')
    expect((await screen.findByText('Not a picture.')).closest('li')?.getAttribute('aria-label')).toBe('notes.jpg')
    await press('Remove notes.jpg')
    expect(screen.queryByText('Not a picture.')).toBeNull()
    expect(idsOf(kept())).toEqual(['a', 'b', 'c', 'd'])
  })

  it('no more are taken than there is room for', async () => {
    const { kept } = renderDraft({ pictures: Array.from({ length: 11 }, (_, at) => picture(`p${at}`)) }, part)
    await add('one', 'two')
    await waitFor(() => expect(idsOf(kept())).toHaveLength(12))
    expect(came).toEqual(['one'])
    expect(screen.queryByRole('button', { name: 'Add pictures' })).toBeNull()
  })

  it('the page is not left unasked while a picture is on its way', async () => {
    cut = ['one']
    renderDraft({}, part)
    const leave = () => fireEvent(window, createEvent('beforeunload', window, { cancelable: true }))
    expect(leave()).toBe(true)
    await add('one')
    await screen.findByText('It did not arrive.')
    expect(leave()).toBe(false)
    await press('Remove one.jpg')
    expect(leave()).toBe(true)
  })
})

describe('the order of the pictures', () => {
  it('changes by buttons, the first being the cover, and stays across a reload', async () => {
    const { kept } = renderDraft({ pictures: four }, part)
    await press('Move picture 3 earlier')
    expect(idsOf(kept())).toEqual(['a', 'c', 'b', 'd'])
    await press('Move picture 1 later')
    expect(idsOf(kept())).toEqual(['c', 'a', 'b', 'd'])
    cleanup()
    renderKept(part)
    const first = within(screen.getByRole('list', { name: 'Pictures' })).getAllByRole('listitem')[0]!
    expect([first.textContent, within(first).getByRole('img').getAttribute('src')]).toEqual(['Cover', expect.stringContaining('/files/c')])
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Move picture 1 earlier' }).disabled).toBe(true)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Move picture 4 later' }).disabled).toBe(true)
  })

  it('changes by drag: what is let go takes the place it is let go over; anything else leaves it', () => {
    const { kept } = renderDraft({ pictures: four }, part)
    const tile = (position: number) => screen.getByRole('img', { name: `Picture ${position}` }).parentElement!
    function drag(from: number, to: number) {
      const carried = new Map<string, string>()
      const dataTransfer = {
        setData: (type: string, text: string) => void carried.set(type, text),
        getData: (type: string) => carried.get(type) ?? '',
      }
      fireEvent.dragStart(tile(from), { dataTransfer })
      fireEvent.dragOver(tile(to), { dataTransfer })
      fireEvent.drop(tile(to), { dataTransfer })
    }
    drag(4, 1)
    expect(idsOf(kept())).toEqual(['d', 'a', 'b', 'c'])
    drag(1, 3)
    expect(idsOf(kept())).toEqual(['a', 'b', 'd', 'c'])
    fireEvent.drop(tile(3), { dataTransfer: { getData: () => '' } })
    expect(idsOf(kept())).toEqual(['a', 'b', 'd', 'c'])
  })
})

describe('cutting a picture', () => {
  type Drawn = [sx: number, sy: number, wide: number, high: number]
  let drawn: Drawn[]

  beforeEach(() => {
    drawn = []
    const calls = fetch
    vi.stubGlobal('fetch', async (address: string, init?: RequestInit) =>
      address === '/files/b.webp' ? new Response(new Blob(['b'])) : calls(address, init),
    )
    vi.stubGlobal('createImageBitmap', async () => ({ width: 1600, height: 900, close: () => undefined }))
    const pen = {
      fillRect: () => undefined,
      drawImage: (_: unknown, ...at: [...Drawn, ...number[]]) => drawn.push([at[0], at[1], at[2], at[3]]),
    }
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never)
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['cut'], { type: 'image/jpeg' })))
  })

  it('[C-26] shows four by three of it, moved by keys and zoomed within its edges, and takes its place', async () => {
    const { kept } = renderDraft({ pictures: four }, part)
    await press('Crop picture 2')
    const dialog = await screen.findByRole('dialog', { name: 'Choose what is seen' })
    expect(drawn.at(-1)).toEqual([200, 0, 1200, 900])
    const stage = within(dialog).getByRole('button', { name: /^Picture/ })
    for (let press = 0; press < 10; press += 1) fireEvent.keyDown(stage, { key: 'ArrowRight' })
    expect(drawn.at(-1)).toEqual([400, 0, 1200, 900])
    vi.spyOn(stage, 'getBoundingClientRect').mockReturnValue({ left: 0, top: 0, width: 400, height: 300 } as DOMRect)
    fireEvent.click(stage, { detail: 1, clientX: 100, clientY: 150 })
    expect(drawn.at(-1)).toEqual([100, 0, 1200, 900])
    fireEvent.click(stage, { detail: 1, clientX: 400, clientY: 150 })
    fireEvent.change(within(dialog).getByRole('slider', { name: 'Zoom' }), { target: { value: '2' } })
    expect(drawn.at(-1)).toEqual([700, 225, 600, 450])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Use this picture' }))
    await waitFor(() => expect(idsOf(kept())).toEqual(['a', 'id-cut', 'c', 'd']))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('broken off changes nothing, and a line that is cut says so', async () => {
    const { kept } = renderDraft({ pictures: four }, part)
    await press('Crop picture 2')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    expect([idsOf(kept()), came]).toEqual([['a', 'b', 'c', 'd'], []])
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await press('Crop picture 2')
    expect(await screen.findByText('No connection. Try again.')).toBeTruthy()
  })
})
