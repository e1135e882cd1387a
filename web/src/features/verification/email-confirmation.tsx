// Takes the place of the page until the email is confirmed.
export function EmailConfirmation() {
  return <h1 className="page d2">Email Confirmation</h1>;
}
