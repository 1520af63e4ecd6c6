package org.braid.hadooptests;

/** What whoever started the program must mend; its message is one line. */
final class Complaint extends Exception {
  private static final long serialVersionUID = 1;

  Complaint(String message) {
    super(message);
  }
}
