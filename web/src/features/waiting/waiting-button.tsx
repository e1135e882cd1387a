// Opens the sheet in which somebody says what they would take. The sheet comes with the tap: pages that have the button stay as light as they were.
import { Suspense, useState } from 'react'
import { lazily } from '#/ui/lazily.tsx'
import { Button, type ButtonLook } from '#/ui/button.tsx'
import type { WaitingWish } from './waiting-sheet.tsx'

const WaitingSheet = lazily(async () => (await import('./waiting-sheet.tsx')).WaitingSheet)

export function WaitingButton({ wish, label, ...look }: ButtonLook & { wish: WaitingWish; label: string; className?: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button {...look} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <WaitingSheet wish={wish} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
