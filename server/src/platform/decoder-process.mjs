/**
 * The process that opens what strangers send: pictures are decoded and made anew, documents are looked at. It knows nothing and keeps nothing.
 * JavaScript, because it runs without machine code made at run time, and Node's stripping of types needs that.
 * @import { DecoderAnswer, DecoderQuestion, MadePicture, PictureShape } from './decoder.ts'
 */
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'

sharp.concurrency(1)
sharp.cache(false)

const formats = new Set(['jpeg', 'png', 'webp'])

/**
 * All sizes of a picture, the largest first; the smaller ones are made from it, so that a picture is decoded once.
 * @param {Uint8Array} bytes
 * @param {PictureShape} shape
 * @returns {Promise<MadePicture[]>}
 */
async function makeSizes(bytes, { fit, sizes, pixels }) {
  const [largest = 0, ...smaller] = sizes.toSorted((a, b) => b - a)
  /** @param {import('sharp').Sharp} picture @param {number} size */
  const resize = (picture, size) =>
    fit === 'square'
      ? picture.resize(size, size, { fit: 'cover' })
      : picture.resize(size, size, { fit: 'inside', withoutEnlargement: true })
  const opened = sharp(bytes, { limitInputPixels: pixels, failOn: 'error' })
  // Upright by its own word, in sRGB, without any of what a camera writes beside the picture.
  const { data, info } = await resize(opened.autoOrient(), largest).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const made = []
  for (const size of [largest, ...smaller.filter((size) => size < Math.max(info.width, info.height))]) {
    const one = await resize(sharp(data, { raw }), size).webp({ quality: 82 }).toBuffer({ resolveWithObject: true })
    made.push({ size, bytes: one.data, width: one.info.width, height: one.info.height })
  }
  return made
}

/**
 * @param {DecoderQuestion} question
 * @returns {Promise<DecoderAnswer>}
 */
async function answer({ bytes, shape }) {
  if (!shape) {
    const found = await fileTypeFromBuffer(bytes)
    return found ? { ok: true, document: found.mime } : { ok: false, problem: 'not_document' }
  }
  // The pixels are counted by what the header says, before anything is unpacked.
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (!formats.has(format)) return { ok: false, problem: 'not_picture' }
  if (width * height > shape.pixels) return { ok: false, problem: 'too_many_pixels' }
  return { ok: true, pictures: await makeSizes(bytes, shape) }
}

/**
 * What the library throws is about the file; only where it ran into our limits does it say so.
 * @param {unknown} error
 * @param {DecoderQuestion} question
 * @returns {DecoderAnswer}
 */
function whyNot(error, { shape }) {
  if (/memory/i.test(String(error))) return { ok: false, problem: 'too_costly' }
  return { ok: false, problem: shape ? 'not_picture' : 'not_document' }
}

// A terminal's Ctrl-C reaches every process of its group; the server lets go of this one when it has drained.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (/** @type {DecoderQuestion} */ question) => {
  answer(question)
    .catch((error) => whyNot(error, question))
    .then((made) => process.send?.(made))
    .catch(() => process.exit(1))
})
