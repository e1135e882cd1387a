export default function AppointmentPage() {
  return <h1 className="page section d2">AppointmentPage</h1>;
}
