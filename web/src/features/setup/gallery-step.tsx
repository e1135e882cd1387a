// Step 4: the logo and pictures. Each is sent at once; one whose line is cut says so, and the others stay.
import { pictureOfSize } from '@soigne/contract/files'
import { useRef, useState, type ChangeEvent, type DragEvent } from 'react'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import type { DraftPicture, SetupDraft } from './draft/draft.ts'
import { CropDialog } from './crop-dialog.tsx'
import { moved } from './draft/moved.ts'
import type { DraftChange } from './draft/use-draft.ts'
import styles from './gallery-step.module.css'

type StepProps = { draft: SetupDraft; change: DraftChange }

const mostPictures = 12

/** A file on its way, or one that did not arrive. */
type Sending = {
  id: number
  file: Blob
  name: string
  preview: string
  problem: string | null
  of: 'gallery' | 'logo'
  instead: string | null
}

let lastId = 0

async function send(picture: Blob, of: Sending['of']): Promise<DraftPicture> {
  const { _id, url, width, height } = await dashboardApi.sendSetupPicture({ files: { picture }, body: { of } })
  return { id: _id, url, width, height }
}

/** Sends one after the other: each is opened by the server by itself. */
function useSending({ draft, change }: StepProps) {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const latest = useRef(draft)
  latest.current = draft
  const line = useRef<Promise<void>>(Promise.resolve())
  const forget = (id: number) => setSending((now) => now.filter((one) => one.id !== id))
  async function sendOne(one: Sending) {
    setSending((now) => now.map((each) => (each.id === one.id ? { ...each, problem: null } : each)))
    try {
      const sent = await send(one.file, one.of)
      const { pictures } = latest.current
      const isThere = pictures.some(({ id }) => id === one.instead)
      const next = isThere ? pictures.map((each) => (each.id === one.instead ? sent : each)) : [...pictures, sent].slice(0, mostPictures)
      const part = one.of === 'logo' ? { logo: sent } : { pictures: next }
      latest.current = { ...latest.current, ...part }
      change(part)
      forget(one.id)
      URL.revokeObjectURL(one.preview)
    } catch (error) {
      const problem = fieldFailures(error)['picture'] ?? failureText(error)
      setSending((now) => now.map((each) => (each.id === one.id ? { ...each, problem } : each)))
    }
  }
  const queue = (one: Sending) => (line.current = line.current.then(() => sendOne(one)))
  return {
    sending,
    forget,
    again: (one: Sending) => void queue(one),
    add(files: readonly { file: Blob; name: string }[], of: Sending['of'] = 'gallery', instead: string | null = null) {
      const made = files.map(({ file, name }): Sending => {
        lastId += 1
        return { id: lastId, file, name, preview: URL.createObjectURL(file), problem: null, of, instead }
      })
      setSending((now) => [...now, ...made])
      for (const one of made) void queue(one)
    },
  }
}

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
            <p className="small">{one.problem}</p>
            <span className={styles.again}>
              <Button size="small" variant="soft" onClick={onAgain}>
                {t('gallery.again')}
              </Button>
              <IconButton icon="close" iconSize={18} label={t('gallery.remove', { position: one.name })} onClick={onForget} />
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
  onDropAt: (from: number) => void
  onCrop: () => void
  onRemove: () => void
}

function Tile({ picture, at, count, onMove, onDropAt, onCrop, onRemove }: TileProps) {
  const { t } = useTranslation('setup')
  const position = at + 1
  function drop(event: DragEvent) {
    event.preventDefault()
    const from = Number(event.dataTransfer.getData('text/plain'))
    if (Number.isInteger(from)) onDropAt(from)
  }
  return (
    <li
      className={styles.tile}
      draggable
      onDragStart={(event) => event.dataTransfer.setData('text/plain', String(at))}
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

export function GalleryStep({ draft, change }: StepProps) {
  const { t } = useTranslation('setup')
  const { pictures } = draft
  const { sending, add, again, forget } = useSending({ draft, change })
  const [cropped, setCropped] = useState<{ bitmap: ImageBitmap; id: string | null } | null>(null)
  async function crop(source: Blob, id: string | null) {
    try {
      setCropped({ bitmap: await createImageBitmap(source), id })
    } catch {
      // What the browser cannot open the server refuses in words.
      add([{ file: source, name: '' }], id === null ? 'logo' : 'gallery', id)
    }
  }
  const room = mostPictures - pictures.length - sending.filter(({ of, instead }) => of === 'gallery' && instead === null).length
  return (
    <>
      <Logo draft={draft} change={change} onFile={(file) => void crop(file, null)} />
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
            onDropAt={(from) => change({ pictures: moved(pictures, (one) => one === pictures[from], at - from) })}
            onCrop={() => void fetch(picture.url).then(async (answer) => crop(await answer.blob(), picture.id))}
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
      {cropped && (
        <CropDialog
          picture={cropped.bitmap}
          ratio={cropped.id === null ? 1 : 4 / 3}
          onClose={() => setCropped(null)}
          onCrop={(cut) => {
            add([{ file: cut, name: '' }], cropped.id === null ? 'logo' : 'gallery', cropped.id)
            setCropped(null)
          }}
        />
      )}
    </>
  )
}
