// Cuts a square out of a picture: dragged, tapped where its middle should be, or moved by the arrow keys, and zoomed. What is seen is what is sent.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { useDragOrTap } from '#/ui/use-drag-or-tap.ts'
import { type Crop, kept, middle, mostZoom, sideOf } from './crop.ts'
import styles from './settings.module.css'

/** Pixels of the picture that is sent; the largest the server makes. */
const side = 512
const step = 0.05

type CropDialogProps = { picture: ImageBitmap; busy: boolean; onClose: () => void; onCrop: (cut: Blob) => void }

const arrows: Readonly<Record<string, [number, number]>> = {
  ArrowLeft: [step, 0],
  ArrowRight: [-step, 0],
  ArrowUp: [0, step],
  ArrowDown: [0, -step],
}

/** The square that is cut out, moved by parts of the square that is seen. */
function useCrop(picture: ImageBitmap) {
  const [crop, setCrop] = useState<Crop>(() => middle(picture))
  const change = (next: (now: Crop) => Crop) => setCrop((now) => kept(picture, next(now)))
  const move = (across: number, down: number) =>
    change((now) => ({ ...now, x: now.x - across * sideOf(picture, now), y: now.y - down * sideOf(picture, now) }))
  return { crop, move, zoom: (zoom: number) => change((now) => ({ ...now, zoom })) }
}

function Stage({
  picture,
  crop,
  move,
  canvas,
}: { picture: ImageBitmap; canvas: RefObject<HTMLCanvasElement | null> } & Omit<ReturnType<typeof useCrop>, 'zoom'>) {
  const { t } = useTranslation('settings')
  useEffect(() => {
    const pen = canvas.current?.getContext('2d')
    const size = sideOf(picture, crop)
    // What is see-through stands on white, as on most pages.
    if (pen) pen.fillStyle = '#fff'
    pen?.fillRect(0, 0, side, side)
    pen?.drawImage(picture, crop.x - size / 2, crop.y - size / 2, size, size, 0, 0, side, side)
  }, [picture, crop, canvas])
  function press(event: KeyboardEvent) {
    const by = arrows[event.key]
    if (!by) return
    event.preventDefault()
    move(...by)
  }
  return (
    <button type="button" aria-label={t('picture.stage')} className={styles.stage} {...useDragOrTap(move)} onKeyDown={press}>
      <canvas ref={canvas} width={side} height={side} />
    </button>
  )
}

export function CropDialog({ picture, busy, onClose, onCrop }: CropDialogProps) {
  const { t } = useTranslation('settings')
  const id = useId()
  const canvas = useRef<HTMLCanvasElement>(null)
  const { crop, move, zoom } = useCrop(picture)
  const cut = () => canvas.current?.toBlob((blob) => blob && onCrop(blob), 'image/jpeg', 0.9)
  return (
    <Modal open onClose={onClose} labelledBy={id}>
      <h2 id={id} className="d3">
        {t('picture.cut')}
      </h2>
      <div className={styles.cropper}>
        <Stage picture={picture} crop={crop} move={move} canvas={canvas} />
        <p className="small muted">{t('picture.how')}</p>
        <label className={styles.zoom}>
          <span className="small strong">{t('picture.zoom')}</span>
          <input type="range" min={1} max={mostZoom} step={step} value={crop.zoom} onChange={(event) => zoom(Number(event.target.value))} />
        </label>
        <div className={styles.ways}>
          <Button loading={busy} onClick={cut}>
            {t('picture.save')}
          </Button>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
