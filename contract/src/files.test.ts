import { expect, it } from 'vitest'
import { pictureOfSize } from './files.ts'

const id = '0123456789abcdef'.repeat(2)

it.each([
  [`/files/pictures/${id}.webp`, `/files/pictures/${id}-96.webp`],
  [`/files/private/${id}.webp?until=1&proof=a-b_c.webp`, `/files/private/${id}-96.webp?until=1&proof=a-b_c.webp`],
  [`/files/pictures/${id}-96.webp`, `/files/pictures/${id}-96.webp`],
  [`/files/private/${id}.pdf?until=1`, `/files/private/${id}.pdf?until=1`],
  ['/art/face/a.svg', '/art/face/a.svg'],
  [`https://elsewhere.test/files/pictures/${id}.webp`, `https://elsewhere.test/files/pictures/${id}.webp`],
])('the small picture of %s is at %s', (url, small) => {
  expect(pictureOfSize(url, 96)).toBe(small)
})
