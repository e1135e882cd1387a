// Cuts a part of one shape out of a picture: dragged, tapped where its middle should be, or moved by the arrow keys, and zoomed. What is seen is what is sent.
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { useDragOrTap } from '#/ui/use-drag-or-tap.ts'
import styles from './gallery-step.module.css'

const mostZoom = 4
const step = 0.05
/** Pixels of the longer side that is sent. */
const longest = 1600

type Crop = { x: number; y: number; zoom: number }
type Shape = { width: number; height: number; ratio: number }

const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** The part that is seen, in pixels of the picture. */
function partOf({ width, height, ratio }: Shape, zoom: number): { width: number; height: number } {
  const wide = Math.min(width, height * ratio) / zoom
  return { width: wide, height: wide / ratio }
}

/** Moved as little as it takes to lie within the picture. */
export function keptWithin(shape: Shape, crop: Crop): Crop {
  const zoom = between(crop.zoom, 1, mostZoom)
  const part = partOf(shape, zoom)
  return {
    zoom,
    x: between(crop.x, part.width / 2, shape.width - part.width / 2),
    y: between(crop.y, part.height / 2, shape.height - part.height / 2),
  }
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [step, 0],
  ArrowRight: [-step, 0],
  ArrowUp: [0, step],
  ArrowDown: [0, -step],
}

export type CropDialogProps = { picture: ImageBitmap; ratio: number; onClose: () => void; onCrop: (cut: Blob) => void }

function useCrop({ picture, ratio }: Pick<CropDialogProps, 'picture' | 'ratio'>) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const shape = { width: picture.width, height: picture.height, ratio }
  const [crop, setCrop] = useState<Crop>({ x: picture.width / 2, y: picture.height / 2, zoom: 1 })
  const part = partOf(shape, crop.zoom)
  const width = Math.round(Math.min(longest, part.width))
  const height = Math.round(width / ratio)
  useEffect(() => {
    const pen = canvas.current?.getContext('2d')
    // What is see-through stands on white, as on most pages.
    if (pen) pen.fillStyle = '#fff'
    pen?.fillRect(0, 0, width, height)
    pen?.drawImage(picture, crop.x - part.width / 2, crop.y - part.height / 2, part.width, part.height, 0, 0, width, height)
  }, [picture, crop, part.width, part.height, width, height])
  return {
    canvas,
    width,
    height,
    zoom: crop.zoom,
    setZoom: (zoom: number) => setCrop((now) => keptWithin(shape, { ...now, zoom })),
    move: (across: number, down: number) =>
      setCrop((now) => keptWithin(shape, { ...now, x: now.x - across * part.width, y: now.y - down * part.height })),
  }
}

export function CropDialog({ picture, ratio, onClose, onCrop }: CropDialogProps) {
  const { t } = useTranslation('setup')
  const id = useId()
  const { canvas, width, height, zoom, setZoom, move } = useCrop({ picture, ratio })
  function press(event: KeyboardEvent) {
    const by = arrows[event.key]
    if (!by) return
    event.preventDefault()
    move(...by)
  }
  return (
    <Modal open onClose={onClose} labelledBy={id}>
      <h2 id={id} className="d3">
        {t('gallery.cut')}
      </h2>
      <div className={styles.cropper}>
        <button type="button" aria-label={t('gallery.stage')} className={styles.stage} {...useDragOrTap(move)} onKeyDown={press}>
          <canvas ref={canvas} width={width} height={height} />
        </button>
        <p className="small muted">{t('gallery.how')}</p>
        <label className={styles.zoom}>
          <span className="small strong">{t('gallery.zoom')}</span>
          <input type="range" min={1} max={mostZoom} step={step} value={zoom} onChange={(event) => setZoom(Number(event.target.value))} />
        </label>
        <div className={styles.logoWays}>
          <Button onClick={() => canvas.current?.toBlob((blob) => blob && onCrop(blob), 'image/jpeg', 0.92)}>{t('gallery.use')}</Button>
          <Button variant="outline" onClick={onClose}>
            {t('gallery.cancel')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
