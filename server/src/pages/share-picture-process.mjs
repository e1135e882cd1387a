/**
 * The process that draws the pictures shown when a page is shared, from drawings of ours, alone.
 * JavaScript for the same reason as `platform/decoder-process.mjs`.
 */
import sharp from 'sharp'

sharp.concurrency(1)
sharp.cache(false)

/** @param {{ svg: Uint8Array, width: number, height: number }} asked */
const draw = ({ svg, width, height }) =>
  sharp(svg, { density: 72 }).resize(width, height, { fit: 'cover' }).png({ compressionLevel: 9 }).toBuffer()

process.on('message', (/** @type {{ svg: Uint8Array, width: number, height: number }} */ asked) => {
  draw(asked).then(
    (png) => process.send?.({ png }),
    (error) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
