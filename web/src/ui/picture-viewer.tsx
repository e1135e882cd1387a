// Pictures over the whole window: one at a time, with a download and a way out. Loaded when the first is opened.
import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { downloadPicture } from './download-picture.ts'
import { IconButton } from './icon-button.tsx'
import { Modal } from './modal.tsx'
import styles from './picture-viewer.module.css'

export type ViewerPicture = { src: string; alt: string; /** A smaller one for the row below. */ small?: string }

export type PictureViewerLabels = {
  /** Name of the dialog. */
  title: string
  download: string
  downloadFailed: string
  close: string
  earlier: string
  later: string
  zoomIn: string
  zoomOut: string
  /** "2 of 12" */
  counter: (position: number, count: number) => string
}

export type PictureViewerProps = {
  pictures: readonly [ViewerPicture, ...ViewerPicture[]]
  /** The picture it opens with. */
  start?: number
  labels: PictureViewerLabels
  onClose: () => void
}

const swipePx = 48

/** A finger that goes sideways turns the page; the picture follows the reading direction. */
function useSwipe(onTurn: (by: 1 | -1) => void, isOff: boolean) {
  const from = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown(event: PointerEvent) {
      from.current = isOff || event.pointerType === 'mouse' ? null : { x: event.clientX, y: event.clientY }
    },
    onPointerUp(event: PointerEvent) {
      const began = from.current
      from.current = null
      if (!began) return
      const [across, down] = [event.clientX - began.x, event.clientY - began.y]
      if (Math.abs(across) < swipePx || Math.abs(across) < Math.abs(down)) return
      const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
      onTurn(across < 0 === isRightToLeft ? -1 : 1)
    },
  }
}

type RowProps = Pick<PictureViewerProps, 'pictures' | 'labels'> & { at: number; onChoose: (at: number) => void }

/** All of them, small; the one shown is marked and in sight. */
function Row({ pictures, labels, at, onChoose }: RowProps) {
  const current = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    current.current?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [at])
  return (
    <div className={styles.row}>
      {pictures.map(({ src, small }, index) => (
        <button
          key={src}
          ref={index === at ? current : undefined}
          type="button"
          className={classNames(styles.small, index === at && styles.current)}
          aria-label={labels.counter(index + 1, pictures.length)}
          aria-current={index === at ? 'true' : undefined}
          onClick={() => onChoose(index)}
        >
          <img src={small ?? src} alt="" width={60} height={60} decoding="async" />
        </button>
      ))}
    </div>
  )
}

type TopProps = Pick<PictureViewerProps, 'labels' | 'onClose'> & {
  picture: ViewerPicture
  counter: string | null
  isZoomed: boolean
  onZoom: () => void
}

function Top({ picture, labels, counter, isZoomed, onZoom, onClose }: TopProps) {
  const [isBusy, setIsBusy] = useState(false)
  // Of this picture; another has not been tried.
  const [failed, setFailed] = useState<string | null>(null)
  async function download() {
    setIsBusy(true)
    setFailed(null)
    await downloadPicture(picture.src).catch(() => setFailed(picture.src))
    setIsBusy(false)
  }
  return (
    <div className={styles.top}>
      <p className={styles.words}>
        {picture.alt && <bdi className={styles.name}>{picture.alt}</bdi>}
        {/* Said when another picture comes. */}
        <bdi className={styles.counter} aria-live="polite">
          {counter}
        </bdi>
        <span role="status" className={styles.counter}>
          {failed === picture.src && labels.downloadFailed}
        </span>
      </p>
      <IconButton
        icon={isZoomed ? 'minus' : 'plus'}
        label={isZoomed ? labels.zoomOut : labels.zoomIn}
        className={styles.plain}
        onClick={onZoom}
      />
      <Button icon="download" variant="ink" loading={isBusy} className={styles.download} onClick={() => void download()}>
        <span className={styles.downloadWord}>{labels.download}</span>
      </Button>
      <IconButton icon="close" label={labels.close} className={styles.plain} data-autofocus onClick={onClose} />
    </div>
  )
}

/** Where a key leads; null for other keys. Arrows go the way pages are read. */
function placeAfter(key: string, at: number, count: number): number | null {
  const [later, earlier] = document.documentElement.dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  if (key === later) return at + 1
  if (key === earlier) return at - 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

type TurnsProps = Pick<PictureViewerProps, 'labels'> & { at: number; count: number; onShow: (at: number) => void }

function Turns({ labels, at, count, onShow }: TurnsProps) {
  const button = (label: string, to: number, icon: 'chevron-start' | 'chevron-end', place: string | undefined) => (
    <button
      type="button"
      className={classNames(styles.turn, place)}
      aria-label={label}
      title={label}
      disabled={to < 0 || to >= count}
      onClick={() => onShow(to)}
    >
      <Icon name={icon} size={22} className="mirrors" />
    </button>
  )
  return (
    <>
      {button(labels.earlier, at - 1, 'chevron-start', styles.earlier)}
      {button(labels.later, at + 1, 'chevron-end', styles.later)}
    </>
  )
}

export function PictureViewer({ pictures, start = 0, labels, onClose }: PictureViewerProps) {
  const [at, setAt] = useState(Math.min(Math.max(0, start), pictures.length - 1))
  const [isZoomed, setIsZoomed] = useState(false)
  const picture = pictures[at] ?? pictures[0]
  const count = pictures.length
  function show(index: number) {
    if (index < 0 || index >= count || index === at) return
    setIsZoomed(false)
    setAt(index)
  }
  function press(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === '+' || event.key === '-') setIsZoomed(event.key === '+')
    // Arrows move through a picture that is larger than the window.
    const to = isZoomed ? null : placeAfter(event.key, at, count)
    if (to === null) return
    event.preventDefault()
    show(to)
  }
  const swipe = useSwipe((by) => show(at + by), isZoomed)
  return (
    <Modal open onClose={onClose} onKeyDown={press} label={labels.title} placement="full" className={styles.viewer}>
      <Top
        picture={picture}
        labels={labels}
        counter={count > 1 ? labels.counter(at + 1, count) : null}
        isZoomed={isZoomed}
        onZoom={() => setIsZoomed(!isZoomed)}
        onClose={onClose}
      />
      <div className={classNames(styles.stage, isZoomed && styles.zoomed)} {...swipe} onDoubleClick={() => setIsZoomed(!isZoomed)}>
        <img key={picture.src} src={picture.src} alt={picture.alt} className={styles.picture} draggable={false} />
      </div>
      {count > 1 && (
        <>
          <Turns labels={labels} at={at} count={count} onShow={show} />
          <Row pictures={pictures} labels={labels} at={at} onChoose={show} />
        </>
      )}
    </Modal>
  )
}
