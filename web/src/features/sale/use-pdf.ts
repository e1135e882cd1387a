// An invoice or credit note as a file.
import type { Sale } from '@soigne/contract/sales'
import { useState } from 'react'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { saveFile } from '#/ui/save-file.ts'
import { showToast } from '#/ui/toasts.ts'

export function usePdf(sale: Pick<Sale, '_id'>) {
  const [isPending, setPending] = useState(false)
  async function fetchAndSave({ _id, number }: Sale['documents'][number]) {
    setPending(true)
    try {
      saveFile(await dashboardApi.saleInvoice({ params: { id: sale._id }, query: { document: _id } }), `${number}.pdf`)
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setPending(false)
    }
  }
  return { isPending, save: (document: Sale['documents'][number]) => void fetchAndSave(document) }
}
