package org.braid.hadooptests;

/** An error that the user of the program must fix; its message is one line. */
final class Complaint extends Exception {
  private static final long serialVersionUID = 1;

  Complaint(String message) {
    super(message);
  }
}
