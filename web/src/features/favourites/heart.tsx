// The heart of an institute. Documents are the same for everybody, so it is empty until it is known whose page it is.
import { Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { loginPath } from '#/paths.ts'
import { placeText } from '#/platform/return-location.ts'
import { useSession } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { lazily } from '#/ui/lazily.tsx'
import { IconButton, type IconButtonLook } from '#/ui/icon-button.tsx'
import { favouriteHash } from './pending-favourite-hash.ts'
import styles from './heart.module.css'

export type HeartProps = { institute: { _id: string; name: string }; variant?: IconButtonLook['variant'] }
export type Tapping = { id: string; tapped: boolean; setTapped: (tapped: boolean) => void }

/** Asked for only by those who can have favourites. */
const OwnMark = lazily(async () => (await import('./own-mark.tsx')).OwnMark)

/** Leads through sign-in, back to this place with the heart in its hash. */
function GuestTap({ id, tapped, setTapped }: Tapping) {
  const place = placeText({ ...useLocation(), hash: favouriteHash(id) })
  const navigate = useNavigate()
  useEffect(() => {
    if (!tapped) return
    setTapped(false)
    void navigate(loginPath(place))
  }, [tapped, place, navigate, setTapped])
  return null
}

/** One button from the document on: it keeps its focus, and a tap that has begun, when it becomes known who is looking. */
export function Heart({ institute: { _id, name }, variant = 'disc' }: HeartProps) {
  const { t } = useTranslation('site')
  const session = useSession()
  const [tapped, setTapped] = useState(false)
  const [marked, setMarked] = useState(false)
  const tapping = { id: _id, tapped, setTapped }
  return (
    <>
      <IconButton
        icon={marked ? 'heart-filled' : 'heart'}
        variant={variant}
        label={t('favourite.mark', { name })}
        pressed={marked}
        className={marked ? styles.marked : styles.heart}
        onClick={() => setTapped(true)}
      />
      {session.kind === 'user' && (
        <Suspense>
          <OwnMark {...tapping} user={session.user} onMarked={setMarked} />
        </Suspense>
      )}
      {(session.kind === 'guest' || session.kind === 'failed') && <GuestTap {...tapping} />}
    </>
  )
}
