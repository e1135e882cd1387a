/** What of the product's tables nobody it is may change, and whose rows those are that name no institute. */
import type { TableRights } from './platform/roles.ts'

export const tableRights: TableRights = {
  appendOnly: ['security_events', 'payment_words'],
  // Money that moved, and documents of it.
  immutable: [
    'documents',
    'document_lines',
    'payments',
    'tips',
    'ledger_lines',
    'till_closings',
    'kept_deposits',
    'gift_card_moves',
    'client_package_moves',
    'fee_payments',
  ],
  ofRow: {
    institutes: 'id = institute_of_wall()',
    messages: 'exists (select from chats c where c.id = chat_id)',
  },
}
