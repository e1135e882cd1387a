// The panel around the filter form: a drawer at the end of a wide window, the whole screen of a phone.
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Link, useLocation, useNavigate } from 'react-router'
import { Button, buttonClass } from '#/ui/button.tsx'
import { IconLink } from '#/ui/icon-button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { FilterForm, type FilterFormProps } from './filter-form.tsx'
import type { FilterContext } from './filter-texts.ts'
import { changeFilters, clearedFilters, readForm, searchPath, type Filters } from '#/search-filters.ts'
import { useHydrated } from '#/ui/use-hydrated.ts'
import styles from './filter-panel.module.css'

function cameFromList(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'fromList' in state
}

/** Before scripts there is no dialog; the same panel then stands in the page. */
function Place({ titleId, onClose, children }: { titleId: string; onClose: () => void; children: ReactNode }) {
  const hydrated = useHydrated()
  if (!hydrated) {
    return (
      <aside className={styles.asleep} aria-labelledby={titleId}>
        {children}
      </aside>
    )
  }
  return (
    <Modal open onClose={onClose} labelledBy={titleId} placement="drawer" className={styles.drawer}>
      {children}
    </Modal>
  )
}

/** What a hand had chosen in the panel of the document when its dialog takes the place of that; the point of a place stays with its name. */
function chosenBefore(formId: string, filters: Filters): Filters {
  if (import.meta.env.SSR) return filters
  const form = document.getElementById(formId)
  if (!(form instanceof HTMLFormElement)) return filters
  const chosen = readForm(form)
  const { lat = null, lon = null } = chosen.place === filters.place ? filters : {}
  return changeFilters(chosen, { lat, lon })
}

/** Begins with what is chosen as it comes to its place: a hand chooses until the very moment at which that is the dialog. */
function FormInPlace({ id, filters, ...rest }: FilterFormProps) {
  const [chosen] = useState(() => chosenBefore(id, filters))
  return <FilterForm id={id} filters={chosen} {...rest} />
}

export function FilterPanel(context: FilterContext) {
  const { t } = useTranslation('filters')
  const id = useId()
  const navigate = useNavigate()
  const location = useLocation()
  const { filters } = context
  const closed = searchPath(filters, { page: filters.page ?? null })
  function close() {
    // Going back leaves no second copy of the list in the history.
    if (cameFromList(location.state)) void navigate(-1)
    else void navigate(closed, { replace: true, preventScrollReset: true })
  }
  function send(chosen: Filters) {
    void navigate(searchPath(chosen), { replace: true })
  }
  return (
    <Place titleId={`${id}-title`} onClose={close}>
      <header className={styles.head}>
        <h2 className="d4" id={`${id}-title`}>
          {t('title')}
        </h2>
        <IconLink
          to={closed}
          icon="close"
          label={t('close')}
          onClick={(event) => {
            event.preventDefault()
            close()
          }}
        />
      </header>
      <div className={styles.body}>
        <FormInPlace id={`${id}-form`} onSend={send} {...context} />
      </div>
      <footer className={styles.foot}>
        <Link to={searchPath(clearedFilters(filters))} replace className={buttonClass({ variant: 'text' }, styles.clear)}>
          {t('clear')}
        </Link>
        <Button type="submit" form={`${id}-form`}>
          {t('show')}
        </Button>
      </footer>
    </Place>
  )
}
