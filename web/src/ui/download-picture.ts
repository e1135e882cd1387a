// Saves a picture as a PNG, whatever it is kept as, under a name of ours: the prefix of the product and something random.

const prefix = 'soigne'
/** Drawings have no pixels of their own: their longest side becomes this. */
const drawnPx = 1600

export function pictureFileName(): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${prefix}-${random}.png`
}

async function asPng(src: string): Promise<Blob> {
  const image = new Image()
  image.src = src
  await image.decode()
  const isDrawing = new URL(src, location.href).pathname.endsWith('.svg')
  const scale = isDrawing ? drawnPx / Math.max(image.naturalWidth, image.naturalHeight, 1) : 1
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale))
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale))
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png')
  })
}

/** @throws when the picture cannot be read */
export async function downloadPicture(src: string): Promise<void> {
  const address = URL.createObjectURL(await asPng(src))
  const link = document.createElement('a')
  link.href = address
  link.download = pictureFileName()
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
