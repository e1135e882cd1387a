// Step 4: the logo and pictures. Each is sent at once; one whose line is cut says so, and the others stay.
import { pictureOfSize } from '@soigne/contract/files'
import { useRef, useState, type ChangeEvent, type DragEvent } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { showToast } from '#/ui/toasts.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { DraftPicture, SetupDraft } from '#/features/setup/draft/draft.ts'
import { CropDialog } from './crop-dialog.tsx'
import { useFailureWords } from '#/features/setup/draft/failure-words.ts'
import { moved } from '#/features/setup/draft/moved.ts'
import type { DraftChange } from '#/features/setup/draft/use-draft.ts'
import { mostPictures, type PictureUpload, type Sending } from './use-picture-upload.ts'
import styles from './gallery-step.module.css'

type StepProps = { draft: SetupDraft; change: DraftChange }

function FileButton({
  label,
  multiple = false,
  onFiles,
  className,
}: {
  label: string
  multiple?: boolean
  onFiles: (files: File[]) => void
  className?: string | undefined
}) {
  const input = useRef<HTMLInputElement>(null)
  function choose(event: ChangeEvent<HTMLInputElement>) {
    const files = [...(event.target.files ?? [])]
    // The same file chosen again is a change too.
    event.target.value = ''
    if (files.length > 0) onFiles(files)
  }
  return (
    <>
      <button type="button" className={className} onClick={() => input.current?.click()}>
        <Icon name="plus" size={20} />
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept="image/jpeg,image/png,image/webp"
        aria-label={label}
        onChange={choose}
      />
    </>
  )
}

function Waiting({ one, onAgain, onForget }: { one: Sending; onAgain: () => void; onForget: () => void }) {
  const { t } = useTranslation('setup')
  return (
    <li className={styles.tile} aria-label={one.name}>
      <img src={one.preview} alt="" className={styles.dim} />
      <div className={styles.state} role="status">
        {one.problem === null ? (
          <p className="small">{t('gallery.sending')}</p>
        ) : (
          <>
            <p className="small">{one.problem || t('gallery.notSent')}</p>
            <span className={styles.again}>
              <Button size="small" variant="soft" onClick={onAgain}>
                {t('gallery.again')}
              </Button>
              <IconButton icon="close" iconSize={18} label={t('services.drop', { name: one.name })} onClick={onForget} />
            </span>
          </>
        )}
      </div>
    </li>
  )
}

type TileProps = {
  picture: DraftPicture
  at: number
  count: number
  onMove: (by: number) => void
  /** Another one, by its id, was let go over it. */
  onDropHere: (id: string) => void
  onCrop: () => void
  onRemove: () => void
}

function Tile({ picture, at, count, onMove, onDropHere, onCrop, onRemove }: TileProps) {
  const { t } = useTranslation('setup')
  const position = at + 1
  function drop(event: DragEvent) {
    event.preventDefault()
    onDropHere(event.dataTransfer.getData('text/plain'))
  }
  return (
    <li>
      <div
        className={styles.tile}
        draggable
        onDragStart={(event) => event.dataTransfer.setData('text/plain', picture.id)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        <img src={pictureOfSize(picture.url, 640)} alt={t('gallery.picture', { position })} draggable={false} />
        <span className={styles.number}>{at === 0 ? t('gallery.cover') : position}</span>
        <div className={styles.tools}>
          <IconButton
            variant="disc"
            icon="chevron-start"
            iconSize={18}
            disabled={at === 0}
            label={t('gallery.earlier', { position })}
            onClick={() => onMove(-1)}
          />
          <IconButton
            variant="disc"
            icon="chevron-end"
            iconSize={18}
            disabled={position === count}
            label={t('gallery.later', { position })}
            onClick={() => onMove(1)}
          />
          <IconButton variant="disc" icon="target" iconSize={18} label={t('gallery.crop', { position })} onClick={onCrop} />
          <IconButton variant="disc" icon="trash" iconSize={18} label={t('gallery.remove', { position })} onClick={onRemove} />
        </div>
      </div>
    </li>
  )
}

function Logo({ draft, change, onFile }: StepProps & { onFile: (file: File) => void }) {
  const { t } = useTranslation('setup')
  return (
    <div className={styles.logo}>
      {draft.logo ? (
        <img src={pictureOfSize(draft.logo.url, 320)} alt={t('gallery.logo')} width={88} height={88} />
      ) : (
        <span className={styles.noLogo} aria-hidden="true" />
      )}
      <div>
        <p className="strong">{t('gallery.logo')}</p>
        <p className="small muted">{t('gallery.logoHint')}</p>
        <p className={styles.logoWays}>
          <FileButton
            className={`link ${styles.plain}`}
            label={t(draft.logo ? 'gallery.changeLogo' : 'gallery.addLogo')}
            onFiles={([file]) => file && onFile(file)}
          />
          {draft.logo && (
            <button type="button" className="link" onClick={() => change({ logo: null })}>
              {t('gallery.removeLogo')}
            </button>
          )}
        </p>
      </div>
    </div>
  )
}

/** A picture opened to be cut; id: which of the gallery it replaces, null of the logo. */
type Cutting = { bitmap: ImageBitmap; id: string | null }

function useCutting(add: PictureUpload['add'], nameOf: (id: string | null) => string) {
  const wordsOf = useFailureWords()
  const [cutting, setCutting] = useState<Cutting | null>(null)
  const put = (file: Blob, id: string | null) => add([{ file, name: nameOf(id) }], id === null ? 'logo' : 'gallery', id)
  async function open(source: Blob, id: string | null) {
    try {
      setCutting({ bitmap: await createImageBitmap(source), id })
    } catch {
      // What the browser cannot open the server refuses in words.
      put(source, id)
    }
  }
  /** Opens one that is there already, as the server keeps it. */
  async function fetchAndOpen({ id, url }: DraftPicture) {
    try {
      const answer = await fetch(url)
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
      await open(await answer.blob(), id)
    } catch (error) {
      showToast({ type: 'error', title: wordsOf(error) })
    }
  }
  const dialog = cutting && (
    <CropDialog
      picture={cutting.bitmap}
      ratio={cutting.id === null ? 1 : 4 / 3}
      onClose={() => setCutting(null)}
      onCrop={(cut) => {
        put(cut, cutting.id)
        setCutting(null)
      }}
    />
  )
  return { open, fetchAndOpen, dialog }
}

export function GalleryStep({ draft, change, upload }: StepProps & { upload: PictureUpload }) {
  const { t } = useTranslation('setup')
  const { pictures } = draft
  const { sending, add, again, forget } = upload
  const placeOf = (id: string | null) => pictures.findIndex((one) => one.id === id)
  const cutting = useCutting(add, (id) => (id === null ? t('gallery.logo') : t('gallery.picture', { position: placeOf(id) + 1 })))
  const room = mostPictures - pictures.length - sending.filter(({ of, instead }) => of === 'gallery' && instead === null).length
  return (
    <>
      <Logo draft={draft} change={change} onFile={(file) => void cutting.open(file, null)} />
      <div className={styles.head}>
        <h2 className="d4">{t('gallery.pictures')}</h2>
        <p className="small muted">{t('gallery.count', { count: pictures.length, most: mostPictures })}</p>
      </div>
      <ul className={styles.grid} aria-label={t('gallery.pictures')}>
        {pictures.map((picture, at) => (
          <Tile
            key={picture.id}
            picture={picture}
            at={at}
            count={pictures.length}
            onMove={(by) => change({ pictures: moved(pictures, (one) => one === picture, by) })}
            onDropHere={(id) => change({ pictures: moved(pictures, (one) => one.id === id, at - placeOf(id)) })}
            onCrop={() => void cutting.fetchAndOpen(picture)}
            onRemove={() => change({ pictures: pictures.filter((one) => one !== picture) })}
          />
        ))}
        {sending.map((one) => (
          <Waiting key={one.id} one={one} onAgain={() => again(one)} onForget={() => forget(one.id)} />
        ))}
        {room > 0 && (
          <li>
            <FileButton
              className={styles.add}
              label={t('gallery.add')}
              multiple
              onFiles={(files) => add(files.slice(0, room).map((file) => ({ file, name: file.name })))}
            />
          </li>
        )}
      </ul>
      {pictures.length === 0 && sending.length === 0 && <p className="small muted">{t('gallery.none')}</p>}
      {cutting.dialog}
    </>
  )
}
