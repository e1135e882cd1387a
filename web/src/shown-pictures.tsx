// The picture viewer with its words, loaded when somebody opens a picture: `{at !== null && <ShownPictures pictures={…} start={at} onClose={…} />}`.
import { Suspense } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { lazily } from '#/ui/lazily.tsx'
import type { ViewerPicture } from '#/ui/picture-viewer.tsx'

const PictureViewer = lazily(async () => (await import('#/ui/picture-viewer.tsx')).PictureViewer)

export type ShownPicturesProps = { pictures: readonly ViewerPicture[]; start?: number; onClose: () => void }

function Viewer({ pictures: [first, ...more], start = 0, onClose }: ShownPicturesProps) {
  const { t } = useTranslation('viewer')
  if (!first) return null
  const labels = {
    title: t('title'),
    download: t('download'),
    downloadFailed: t('downloadFailed'),
    close: t('close'),
    earlier: t('earlier'),
    later: t('later'),
    zoomIn: t('zoomIn'),
    zoomOut: t('zoomOut'),
    counter: (position: number, total: number) => t('counter', { position, total }),
  }
  return <PictureViewer pictures={[first, ...more]} start={start} labels={labels} onClose={onClose} />
}

export function ShownPictures(props: ShownPicturesProps) {
  return (
    <Suspense>
      <Viewer {...props} />
    </Suspense>
  )
}
